import type { TableColumn } from '../../../types/table-column.js';
import { beginningOf, ContentError } from './content-error.js';

/** Where a row stands: line of the text and number of the row, both counted from 1. */
export interface RowLocation {
  readonly line: number;
  readonly row?: number;
}

const MAX_LISTED_NAMES = 20;

/** A value does not fit its column. */
export function valueError(column: string, expected: string, value: string, location: RowLocation): ContentError {
  return rowError(`column ${column} takes ${expected}, not '${value}'`, { ...location, column, value });
}

/** A column that must have a value has none. */
export function missingValueError(column: string, location: RowLocation): ContentError {
  return rowError(`column ${column} must have a value`, { ...location, column });
}

/** No value is given for a column that must have one. */
export function missingColumnError(column: string, location: RowLocation): ContentError {
  return rowError(`column ${column} is missing, and it must have a value`, { ...location, column });
}

/** The table has no such column; `advice` ends the sentence. */
export function unknownColumnError(
  name: string,
  columns: readonly TableColumn[],
  location: RowLocation,
  advice = '',
): ContentError {
  const listed = columns.slice(0, MAX_LISTED_NAMES).map((column) => column.name);
  const names = columns.length > listed.length ? `${listed.join(', ')}, …` : listed.join(', ');
  const column = beginningOf(name);
  return rowError(`the table has no column '${column}', its columns are ${names}${advice}`, { ...location, column });
}

/** An error of a row, whatever its format. */
export function rowError(
  issue: string,
  details: RowLocation & Record<string, string | number | undefined>,
): ContentError {
  const { row, ...others } = details;
  const where = row === undefined ? `line ${details.line}` : `row ${row} (line ${details.line})`;
  const known = row === undefined ? others : { ...others, row };
  return new ContentError({
    code: 'invalid_row',
    message: `${where}: ${issue}`,
    details: known as Record<string, string | number>,
  });
}
