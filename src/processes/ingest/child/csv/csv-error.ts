import { beginningOf, ContentError } from '../content-error.js';

/** Where a CSV text is wrong, as far as it is known. */
export type CsvLocation = {
  readonly line: number;
  /** Number of the value in its record, counted from 1. */
  readonly position?: number;
  readonly column?: string;
};

/** An error of a CSV text on a line. */
export function csvError(issue: string, location: CsvLocation): ContentError {
  return new ContentError({
    code: 'invalid_csv',
    message: `line ${location.line}: ${issue}`,
    details: { ...location },
  });
}

/** An error of one value: `line 3: column 2, 'b': …`, or `line 1: value 2: …` without a header. */
export function csvValueError(issue: string, location: CsvLocation & { readonly position: number }): ContentError {
  const { position, column } = location;
  const value = column === undefined ? `value ${position}` : columnLabel(position, column);
  return csvError(`${value}: ${issue}`, location);
}

/** A column as a message calls it. */
export function columnLabel(position: number, name: string): string {
  return name === '' ? `column ${position}` : `column ${position}, '${beginningOf(name)}'`;
}
