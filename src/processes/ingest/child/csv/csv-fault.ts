import { beginningOf, ContentFault } from '../content-fault.js';

/** Where a CSV text is at fault: its line, and the value of the record there with the column that it belongs to, as far as they are known. */
export type CsvPlace = {
  readonly line: number;
  /** Number of the value in its record, counted from 1. */
  readonly position?: number;
  readonly column?: string;
};

/** A fault of a CSV text on a line. */
export function csvFault(problem: string, place: CsvPlace): ContentFault {
  return new ContentFault({ code: 'invalid_csv', message: `line ${place.line}: ${problem}`, details: { ...place } });
}

/** A fault of one value: `line 3: column 2, 'b': a NUL byte`, or `line 1: value 2: a NUL byte` where no header has named its column. */
export function csvValueFault(problem: string, place: CsvPlace & { readonly position: number }): ContentFault {
  const { position, column } = place;
  const value = column === undefined ? `value ${position}` : columnLabel(position, column);
  return csvFault(`${value}: ${problem}`, place);
}

/** A column as a message calls it. */
export function columnLabel(position: number, name: string): string {
  return name === '' ? `column ${position}` : `column ${position}, '${beginningOf(name)}'`;
}
