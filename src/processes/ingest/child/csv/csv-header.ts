import type { ColumnNames, RenamedColumn } from '../../csv-options.js';
import { normalizeNames } from '../../normalize-names.js';
import { beginningOf, ContentError } from '../content-error.js';
import { columnLabel, csvError } from './csv-error.js';
import { type CsvRecord, MAX_COLUMNS } from './csv-record.js';

/** How the names of a header are checked. */
export interface HeaderRules {
  /** Why a name is invalid, or nothing if it is valid. When absent, every name is valid. */
  readonly findIssue?: (name: string) => string | undefined;
  readonly columnNames?: ColumnNames;
}

/** The header of a CSV text: names that no other column has, without regard to case. */
export class CsvHeader {
  /** Columns that have a name in the header. */
  readonly #namedCount: number;

  private constructor(
    readonly names: string[],
    readonly renamed: RenamedColumn[],
    /**
     * Whether the header line ends with a delimiter. The unnamed column after it is left out,
     * unless it has values and names are normalized.
     */
    readonly hasTrailingDelimiter: boolean,
    private readonly columnNames?: ColumnNames,
  ) {
    this.#namedCount = names.length;
  }

  /**
   * Reads the names of the columns.
   *
   * @throws ContentError
   */
  static read(record: CsvRecord, { findIssue, columnNames }: HeaderRules = {}): CsvHeader {
    if (record.isBlank) throw csvError('the first line must name the columns, but it is empty', { line: record.line });
    const hasTrailingDelimiter = record.count > 1 && record.isNull(Math.min(record.count, MAX_COLUMNS + 1) - 1);
    const count = hasTrailingDelimiter ? record.count - 1 : record.count;
    checkCount(count, record.line);
    const written = Array.from({ length: count }, (_, index) => record.text(index));
    const names = columnNames === 'normalize' ? normalizeNames(written) : written;
    if (columnNames !== 'normalize') checkNames(written, findIssue, adviceOf(columnNames));
    const renamed = names.flatMap((to, index) => toRenamed(written[index] as string, to, index + 1));
    return new CsvHeader(names, renamed, hasTrailingDelimiter, columnNames);
  }

  /** The header of a text that was scanned before. */
  static of(names: readonly string[], hasTrailingDelimiter: boolean): CsvHeader {
    return new CsvHeader([...names], [], hasTrailingDelimiter);
  }

  /**
   * Names for the columns of a text without a header, as many as its first record has values.
   *
   * @throws ContentError
   */
  static generate({ isBlank, count, line }: CsvRecord): CsvHeader {
    if (isBlank) throw csvError('the first line must have a value for each column, but it is empty', { line });
    checkCount(count, line);
    const names = Array.from({ length: count }, (_, index) => `column${index}`);
    return new CsvHeader(names, [], false);
  }

  /**
   * Whether a record is a row of data: an empty line is not, if there are several columns. If names
   * are normalized, the first value of an unnamed last column adds its name to {@link names}.
   *
   * @throws ContentError if it has too few or too many values.
   */
  isData(record: CsvRecord): boolean {
    const count = this.#namedCount;
    if (record.count === count && !(count > 1 && record.isBlank)) return true;
    if (record.isBlank) return false;
    if (!this.hasTrailingDelimiter || record.count !== count + 1) throw this.#raggedError(record);
    if (this.names.length === count && !record.isNull(count)) this.#nameLast(record);
    return true;
  }

  #nameLast(record: CsvRecord): void {
    const position = this.names.length + 1;
    if (this.columnNames !== 'normalize') {
      const value = record.excerpt(position - 1);
      const issue = `the value '${value}' stands in column ${position}, which has no name`;
      throw csvError(issue + adviceOf(this.columnNames), { line: record.line, position });
    }
    checkCount(position, record.line);
    const to = normalizeNames([...this.names, '']).at(-1) as string;
    this.names.push(to);
    this.renamed.push(...toRenamed('', to, position));
  }

  #raggedError({ count, line }: CsvRecord): ContentError {
    const length = this.#namedCount;
    const position = Math.min(count, length) + 1;
    const column = this.names[position - 1];
    const columns = length === 1 ? '1 column' : `${length} columns`;
    const values = count === 1 ? '1 value' : `${count} values`;
    const where =
      column === undefined ? `value ${position} has no column` : `${columnLabel(position, column)}, has none`;
    return csvError(`${values}, but the header has ${columns}: ${where}`, {
      line,
      position,
      ...(column !== undefined && { column }),
    });
  }
}

function checkCount(count: number, line: number): void {
  if (count <= MAX_COLUMNS) return;
  const issue = `${count} columns, and a table has at most ${MAX_COLUMNS}`;
  throw csvError(issue, { line, position: MAX_COLUMNS + 1 });
}

function toRenamed(from: string, to: string, position: number): RenamedColumn[] {
  return from === to ? [] : [{ from: beginningOf(from), to, position }];
}

/** Advice to append to an error about an invalid name. */
export function adviceOf(columnNames: ColumnNames | undefined): string {
  return columnNames === 'keep' ? ' (column_names=normalize replaces such names)' : '';
}

function checkNames(names: readonly string[], findIssue: HeaderRules['findIssue'], advice: string): void {
  const seen = new Map<string, number>();
  names.forEach((name, index) => {
    const position = index + 1;
    const issue = name === '' ? 'it has no name in the header' : findIssue?.(name);
    const error = (reason: string) => nameError(`${columnLabel(position, name)}: ${reason}${advice}`, name, position);
    if (issue) throw error(issue);
    const first = seen.get(name.toLowerCase());
    if (first !== undefined) throw error(`column ${first} has the same name, and case makes no difference`);
    seen.set(name.toLowerCase(), position);
  });
}

function nameError(message: string, column: string, position: number): ContentError {
  return new ContentError({
    code: 'invalid_column_name',
    message: `line 1: ${message}`,
    details: { line: 1, column: beginningOf(column), position },
  });
}
