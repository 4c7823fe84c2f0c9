import { beginningOf, ContentFault } from '../content-fault.js';
import { columnLabel, csvFault } from './csv-fault.js';
import type { CsvRecord } from './csv-record.js';

/** Most columns of a table: the engine needs memory for each. */
const MAX_COLUMNS = 2_000;

type FindProblem = (name: string) => string | undefined;

/** The header of a CSV text: names that no other column has, without regard to case. */
export class CsvHeader {
  private constructor(
    readonly names: readonly string[],
    /** Whether the header line ends with a delimiter; the column without a name after it must be empty, and is left out. */
    readonly hasTrailingDelimiter: boolean,
  ) {}

  /**
   * Reads the names of the columns.
   *
   * @param findProblem why a name cannot be used, if there is a reason.
   * @throws ContentFault
   */
  static read(record: CsvRecord, findProblem: FindProblem = () => undefined): CsvHeader {
    if (record.isBlank) throw csvFault('the first line must name the columns, but it is empty', { line: record.line });
    const hasTrailingDelimiter = record.count > 1 && record.isNull(Math.min(record.count, MAX_COLUMNS + 1) - 1);
    const count = hasTrailingDelimiter ? record.count - 1 : record.count;
    checkCount(count, record.line);
    const names = Array.from({ length: count }, (_, index) => record.text(index));
    checkNames(names, findProblem);
    return new CsvHeader(names, hasTrailingDelimiter);
  }

  /** The header of a text that was scanned before. */
  static of(names: readonly string[], hasTrailingDelimiter: boolean): CsvHeader {
    return new CsvHeader(names, hasTrailingDelimiter);
  }

  /**
   * Names for the columns of a text without a header, as many as its first record has values.
   *
   * @throws ContentFault
   */
  static generate({ isBlank, count, line }: CsvRecord): CsvHeader {
    if (isBlank) throw csvFault('the first line must have a value for each column, but it is empty', { line });
    checkCount(count, line);
    const names = Array.from({ length: count }, (_, index) => `column${index}`);
    return new CsvHeader(names, false);
  }

  /**
   * Whether a record is one of data: an empty line among several columns is none.
   *
   * @throws ContentFault if it has too few or too many values.
   */
  isData(record: CsvRecord): boolean {
    const { length } = this.names;
    if (record.count === length && !(length > 1 && record.isBlank)) return true;
    if (record.isBlank) return false;
    if (this.hasTrailingDelimiter && record.count === length + 1) {
      if (record.isNull(length)) return true;
      const problem = `the value '${record.excerpt(length)}' stands in column ${length + 1}, which has no name`;
      throw csvFault(problem, { line: record.line, position: length + 1 });
    }
    throw this.#raggedFault(record);
  }

  #raggedFault({ count, line }: CsvRecord): ContentFault {
    const { length } = this.names;
    const position = Math.min(count, length) + 1;
    const column = this.names[position - 1];
    const columns = length === 1 ? '1 column' : `${length} columns`;
    const values = count === 1 ? '1 value' : `${count} values`;
    const where =
      column === undefined ? `value ${position} has no column` : `${columnLabel(position, column)}, has none`;
    return csvFault(`${values}, but the header has ${columns}: ${where}`, {
      line,
      position,
      ...(column !== undefined && { column }),
    });
  }
}

function checkCount(count: number, line: number): void {
  if (count <= MAX_COLUMNS) return;
  const problem = `${count} columns, and a table has at most ${MAX_COLUMNS}`;
  throw csvFault(problem, { line, position: MAX_COLUMNS + 1 });
}

function checkNames(names: readonly string[], findProblem: FindProblem): void {
  const seen = new Map<string, number>();
  names.forEach((name, index) => {
    const position = index + 1;
    const problem = name === '' ? 'it has no name in the header' : findProblem(name);
    const label = columnLabel(position, name);
    if (problem) throw nameFault(`${label}: ${problem}`, name, position);
    const first = seen.get(name.toLowerCase());
    if (first !== undefined)
      throw nameFault(`${label}: column ${first} has the same name, and case makes no difference`, name, position);
    seen.set(name.toLowerCase(), position);
  });
}

function nameFault(message: string, column: string, position: number): ContentFault {
  return new ContentFault({
    code: 'invalid_column_name',
    message: `line 1: ${message}`,
    details: { line: 1, column: beginningOf(column), position },
  });
}
