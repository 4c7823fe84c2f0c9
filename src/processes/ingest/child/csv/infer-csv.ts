import { findColumnNameProblem } from '../../column-name.js';
import type { CsvOptions } from '../../csv-options.js';
import type { IngestOutcome } from '../../ingest-messages.js';
import type { IngestEngine } from '../open-engine.js';
import { InferredTable } from './inferred-table.js';
import { scanCsv } from './scan-csv.js';
import { writeCsvPart } from './write-csv-part.js';

/**
 * Makes a part of a CSV text whose columns are those of its header, with types found from all values.
 *
 * @throws ContentFault
 */
export async function inferCsv(
  engine: IngestEngine,
  source: string,
  target: string,
  options: CsvOptions,
): Promise<IngestOutcome> {
  const table = new InferredTable(options);
  const isName = (text: string) => findColumnNameProblem(text) === undefined;
  const form = await scanCsv(source, options, isName, (record) => table.take(record));
  const columns = table.columns();
  const csv = { path: source, form, header: table.header, rowCount: table.rowCount, columns };
  return writeCsvPart(engine, csv, target, columns, ({ name }) => name);
}
