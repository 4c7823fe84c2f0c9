import type { TableColumn } from '../../../table-column.js';
import { findColumnNameProblem } from '../../column-name.js';
import type { IngestOutcome } from '../../ingest-messages.js';
import type { IngestEngine } from '../open-engine.js';
import { readPieces } from '../read-pieces.js';
import { TypeInference } from '../values/infer-type.js';
import { csvFault } from './csv-fault.js';
import { CsvHeader } from './csv-header.js';
import type { CsvRecord } from './csv-record.js';
import { CsvScanner } from './csv-scanner.js';
import { writeCsvPart } from './write-csv-part.js';

/**
 * Makes a part of a CSV text whose columns are those of its header, with types found from all values.
 *
 * @throws ContentFault
 */
export async function inferCsv(engine: IngestEngine, source: string, target: string): Promise<IngestOutcome> {
  const table = new InferredTable();
  const scanner = new CsvScanner((record) => table.take(record));
  await readPieces(source, scanner);
  const columns = table.columns();
  const csv = { path: source, form: { ...scanner.form }, rowCount: table.rowCount, columns };
  csv.form.isUnusual ||= table.hasTrailingComma;
  return writeCsvPart(engine, csv, target, columns, ({ name }) => name);
}

/** The columns of a CSV text, as its records tell them. */
class InferredTable {
  rowCount = 0;
  #header: CsvHeader | undefined;
  #types: TypeInference[] = [];

  get hasTrailingComma(): boolean {
    return this.#header?.hasTrailingComma ?? false;
  }

  take(record: CsvRecord): void {
    if (!this.#header) {
      this.#header = CsvHeader.read(record, findColumnNameProblem);
      this.#types = this.#header.names.map(() => new TypeInference());
      return;
    }
    if (!this.#header.isData(record)) return;
    this.rowCount++;
    const { bytes, starts, ends } = record;
    for (let index = 0; index < this.#types.length; index++) {
      const type = this.#types[index] as TypeInference;
      if (!type.isText && !record.isNull(index)) type.add(bytes, starts[index] as number, ends[index] as number);
    }
  }

  columns(): TableColumn[] {
    if (!this.#header) throw csvFault('the text is empty: it needs a line that names the columns', { line: 1 });
    return this.#header.names.map((name, index) => {
      const type = this.#types[index] ?? new TypeInference();
      return { name, type: type.type(), nullable: true };
    });
  }
}
