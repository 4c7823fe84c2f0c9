import type { TableColumn } from '../../../../types/table-column.js';
import { findColumnNameIssue } from '../../column-name.js';
import type { ColumnNames } from '../../csv-options.js';
import type { IngestOutcome, JobOf } from '../../ingest-messages.js';
import { normalizeName } from '../../normalize-names.js';
import type { IngestEngine } from '../open-engine.js';
import { missingColumnError, missingValueError, unknownColumnError, valueError } from '../row-errors.js';
import { isNegativeZero } from '../values/number-shape.js';
import { type ValueRule, valueRule } from '../values/value-rule.js';
import { adviceOf, type CsvHeader } from './csv-header.js';
import type { CsvRecord } from './csv-record.js';
import { CsvRows } from './csv-rows.js';
import { scanCsv } from './scan-csv.js';
import { writeCsvPart } from './write-csv-part.js';

/**
 * Makes a part of a CSV text for a table with these columns.
 *
 * @throws ContentError
 */
export async function appendCsv(
  engine: IngestEngine,
  { source, target, columns, options }: JobOf<'append-csv'>,
): Promise<IngestOutcome> {
  const rows = new CheckedRows(columns, options.columnNames);
  const isNormalized = options.columnNames === 'normalize';
  const isName = (text: string) => matchColumn(isNormalized ? normalizeName(text, 0) : text, columns) !== undefined;
  const dialect = await scanCsv(source, options, isName, (record) => rows.take(record));
  const { header, rowCount, columns: read, hasNegativeZero } = rows;
  const csv = { path: source, dialect, header, rowCount, columns: read, hasNegativeZero };
  const given = new Set(read.map(({ name }) => name));
  return writeCsvPart(engine, csv, target, columns, ({ name }) => (given.has(name) ? name : undefined));
}

/** Rows of a CSV text that are checked against the columns of a table. */
class CheckedRows extends CsvRows {
  /** Whether a double is -0. */
  hasNegativeZero = false;
  /** The columns that the header names, in its order. */
  readonly columns: TableColumn[] = [];
  readonly #rules: ValueRule[] = [];

  constructor(
    private readonly tableColumns: readonly TableColumn[],
    private readonly columnNames: ColumnNames | undefined,
  ) {
    super(true, { columnNames });
  }

  protected override begin(header: CsvHeader): void {
    this.#addColumns(header);
    const missing = this.tableColumns.find((column) => !column.nullable && !this.columns.includes(column));
    if (missing) throw missingColumnError(missing.name, { line: 1 });
  }

  protected takeRow(record: CsvRecord, header: CsvHeader): void {
    this.#addColumns(header);
    for (let index = 0; index < this.columns.length; index++) this.#check(record, index);
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
    const advice = findColumnNameIssue(name) === undefined ? '' : adviceOf(this.columnNames);
    throw unknownColumnError(name, this.tableColumns, { line: 1 }, advice);
  }

  #check(record: CsvRecord, index: number): void {
    const column = this.columns[index] as TableColumn;
    const rule = this.#rules[index] as ValueRule;
    if (index >= record.count || record.isNull(index)) {
      if (!column.nullable) throw missingValueError(column.name, this.#location(record));
      return;
    }
    const start = record.starts[index] as number;
    const end = record.ends[index] as number;
    if (!rule.accepts(record.bytes, start, end))
      throw valueError(column.name, rule.expected, record.excerpt(index), this.#location(record));
    if (rule.hasNegativeZero) this.hasNegativeZero ||= isNegativeZero(record.bytes, start, end);
  }

  #location({ line }: CsvRecord): { line: number; row: number } {
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
