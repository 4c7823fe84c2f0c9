import type { TableColumn } from '../../../../types/table-column.js';
import { findColumnNameProblem } from '../../column-name.js';
import type { ColumnNames, CsvOptions } from '../../csv-options.js';
import type { IngestOutcome } from '../../ingest-messages.js';
import { normalizeName } from '../../normalize-names.js';
import type { IngestEngine } from '../open-engine.js';
import { missingColumnFault, missingValueFault, unknownColumnFault, valueFault } from '../row-faults.js';
import { type ValueRule, valueRule } from '../values/value-rule.js';
import { csvFault } from './csv-fault.js';
import { adviceOf, CsvHeader } from './csv-header.js';
import type { CsvRecord } from './csv-record.js';
import { scanCsv } from './scan-csv.js';
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
  options: CsvOptions,
): Promise<IngestOutcome> {
  const rows = new CheckedRows(columns, options.columnNames);
  const isNormalized = options.columnNames === 'normalize';
  const isName = (text: string) => matchColumn(isNormalized ? normalizeName(text, 0) : text, columns) !== undefined;
  const form = await scanCsv(source, options, isName, (record) => rows.take(record));
  const csv = { path: source, form, header: rows.header, rowCount: rows.rowCount, columns: rows.columns };
  const given = new Set(rows.columns.map(({ name }) => name));
  return writeCsvPart(engine, csv, target, columns, ({ name }) => (given.has(name) ? name : undefined));
}

/** Rows of a CSV text that are checked against the columns of a table. */
class CheckedRows {
  rowCount = 0;
  /** The columns that the header names, in its order. */
  readonly columns: TableColumn[] = [];
  #header: CsvHeader | undefined;
  readonly #rules: ValueRule[] = [];

  constructor(
    private readonly tableColumns: readonly TableColumn[],
    private readonly columnNames: ColumnNames | undefined,
  ) {}

  get header(): CsvHeader {
    if (!this.#header) throw csvFault('the text is empty: it needs a line that names the columns', { line: 1 });
    return this.#header;
  }

  take(record: CsvRecord): void {
    if (!this.#header) {
      this.#begin(CsvHeader.read(record, { columnNames: this.columnNames }));
    } else if (this.#header.isData(record)) {
      this.rowCount++;
      this.#addColumns(this.#header);
      for (let index = 0; index < this.columns.length; index++) this.#check(record, index);
    }
  }

  #begin(header: CsvHeader): void {
    this.#header = header;
    this.#addColumns(header);
    const missing = this.tableColumns.find((column) => !column.nullable && !this.columns.includes(column));
    if (missing) throw missingColumnFault(missing.name, { line: 1 });
  }

  /** Finds the columns that the header names; a row of data can add the last of them. */
  #addColumns({ names }: CsvHeader): void {
    while (this.columns.length < names.length) {
      const column = this.#getColumn(names[this.columns.length] as string);
      this.columns.push(column);
      this.#rules.push(valueRule(column));
    }
  }

  #getColumn(name: string): TableColumn {
    const column = matchColumn(name, this.tableColumns);
    if (column) return column;
    const advice = findColumnNameProblem(name) === undefined ? '' : adviceOf(this.columnNames);
    throw unknownColumnFault(name, this.tableColumns, { line: 1 }, advice);
  }

  #check(record: CsvRecord, index: number): void {
    const column = this.columns[index] as TableColumn;
    const rule = this.#rules[index] as ValueRule;
    if (index >= record.count || record.isNull(index)) {
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
function matchColumn(name: string, columns: readonly TableColumn[]): TableColumn | undefined {
  const folded = name.toLowerCase();
  return (
    columns.find((column) => column.name === name) ?? columns.find((column) => column.name.toLowerCase() === folded)
  );
}
