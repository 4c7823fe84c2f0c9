import { rm, stat } from 'node:fs/promises';
import { sql } from '../../../../duckdb/sql.js';
import type { TableColumn } from '../../../../types/table-column.js';
import type { IngestOutcome } from '../../ingest-messages.js';
import type { IngestEngine } from '../open-engine.js';
import { partColumnsSql, type SourceColumn } from '../part-column.js';
import { writePart } from '../write-part.js';
import { writeCanonicalCsv } from './canonical-csv.js';
import type { CsvHeader } from './csv-header.js';
import type { CsvForm } from './csv-scanner.js';
import { readCsvSql } from './read-csv-sql.js';

/** A CSV text that a scan has found well-formed. */
export interface ScannedCsv {
  readonly path: string;
  readonly form: CsvForm;
  readonly header: CsvHeader;
  readonly rowCount: number;
  /** Its columns, in its order, as the engine is to read them. */
  readonly columns: readonly SourceColumn[];
}

/**
 * Writes the rows of a CSV text as a part with these columns.
 *
 * @param sourceOf the column of the text that a column of the part comes from.
 */
export async function writeCsvPart(
  engine: IngestEngine,
  csv: ScannedCsv,
  target: string,
  columns: readonly TableColumn[],
  sourceOf: (column: TableColumn) => string | undefined,
): Promise<IngestOutcome> {
  const canonicalPath = `${target}.csv`;
  try {
    const isUnusual = csv.form.isUnusual || csv.header.hasTrailingDelimiter;
    const plain = isUnusual ? await makeCanonical(csv, canonicalPath) : csv;
    const rowBytes = (await stat(csv.path)).size / Math.max(1, csv.rowCount);
    const query = sql`SELECT ${partColumnsSql(columns, sourceOf)} FROM ${readCsvSql(plain.path, plain.columns, plain.form)}`;
    const rowCount = await writePart(engine, query, target, { columnCount: columns.length, rowBytes });
    if (rowCount !== csv.rowCount) throw new Error(`The engine read ${rowCount} rows of a CSV text of ${csv.rowCount}`);
    const { renamed } = csv.header;
    return { columns, rowCount, ...(renamed.length > 0 && { renamed }) };
  } finally {
    await rm(canonicalPath, { force: true });
  }
}

async function makeCanonical(csv: ScannedCsv, path: string): Promise<ScannedCsv> {
  await writeCanonicalCsv(csv.path, path, csv.header, csv.form);
  // Quotes can double.
  const form: CsvForm = { ...csv.form, longestRecordBytes: 2 * csv.form.longestRecordBytes + 2 };
  return { ...csv, path, form };
}
