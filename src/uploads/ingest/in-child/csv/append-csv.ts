import type { TableColumn } from '../../../table-column.js';
import type { IngestOutcome } from '../../ingest-messages.js';
import type { IngestEngine } from '../open-engine.js';
import { readPieces } from '../read-pieces.js';
import { missingColumnFault, missingValueFault, unknownColumnFault, valueFault } from '../row-faults.js';
import { type ValueRule, valueRule } from '../values/value-rule.js';
import { csvFault } from './csv-fault.js';
import { CsvHeader } from './csv-header.js';
import type { CsvRecord } from './csv-record.js';
import { CsvScanner } from './csv-scanner.js';
import { writeCsvPart } from './write-csv-part.js';

/**
 * Makes a part of a CSV text for a table with these columns.
 *
 * @throws ContentFault
 */
export async function appendCsv(
  engine: IngestEngine,
  source: string,
  target: string,
  columns: readonly TableColumn[],
): Promise<IngestOutcome> {
  const rows = new CheckedRows(columns);
  const scanner = new CsvScanner((record) => rows.take(record));
  await readPieces(source, scanner);
  const header = rows.header;
  const csv = { path: source, form: { ...scanner.form }, rowCount: rows.rowCount, columns: rows.columns };
  csv.form.isUnusual ||= header.hasTrailingComma;
  const given = new Set(rows.columns.map(({ name }) => name));
  return writeCsvPart(engine, csv, target, columns, ({ name }) => (given.has(name) ? name : undefined));
}

/** Rows of a CSV text that are checked against the columns of a table. */
class CheckedRows {
  rowCount = 0;
  /** The columns that the header names, in its order. */
  columns: readonly TableColumn[] = [];
  #header: CsvHeader | undefined;
  #rules: readonly ValueRule[] = [];

  constructor(private readonly tableColumns: readonly TableColumn[]) {}

  get header(): CsvHeader {
    if (!this.#header) throw csvFault('the text is empty: it needs a line that names the columns', { line: 1 });
    return this.#header;
  }

  take(record: CsvRecord): void {
    if (!this.#header) {
      this.#begin(CsvHeader.read(record));
    } else if (this.#header.isData(record)) {
      this.rowCount++;
      for (let index = 0; index < this.columns.length; index++) this.#check(record, index);
    }
  }

  #begin(header: CsvHeader): void {
    this.#header = header;
    this.columns = header.names.map((name) => findColumn(name, this.tableColumns));
    this.#rules = this.columns.map(valueRule);
    const missing = this.tableColumns.find((column) => !column.nullable && !this.columns.includes(column));
    if (missing) throw missingColumnFault(missing.name, { line: 1 });
  }

  #check(record: CsvRecord, index: number): void {
    const column = this.columns[index] as TableColumn;
    const rule = this.#rules[index] as ValueRule;
    if (record.isNull(index)) {
      if (!column.nullable) throw missingValueFault(column.name, this.#place(record));
    } else if (!rule.accepts(record.bytes, record.starts[index] as number, record.ends[index] as number)) {
      throw valueFault(column.name, rule.expected, record.excerpt(index), this.#place(record));
    }
  }

  #place({ line }: CsvRecord): { line: number; row: number } {
    return { line, row: this.rowCount };
  }
}

/** A column by its name, exactly or else without regard to case. */
function findColumn(name: string, columns: readonly TableColumn[]): TableColumn {
  const folded = name.toLowerCase();
  const found =
    columns.find((column) => column.name === name) ?? columns.find((column) => column.name.toLowerCase() === folded);
  if (!found) throw unknownColumnFault(name, columns, { line: 1 });
  return found;
}
