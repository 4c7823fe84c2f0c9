import type { TableColumn } from '../../../types/table-column.js';
import { beginningOf, ContentFault } from './content-fault.js';

/** Where a row stands: line of the text and number of the row, both counted from 1. */
export interface RowPlace {
  readonly line: number;
  readonly row?: number;
}

const MAX_LISTED_NAMES = 20;

/** A value does not fit its column. */
export function valueFault(column: string, expected: string, value: string, place: RowPlace): ContentFault {
  return rowFault(`column ${column} takes ${expected}, not '${value}'`, { ...place, column, value });
}

/** A column that must have a value has none. */
export function missingValueFault(column: string, place: RowPlace): ContentFault {
  return rowFault(`column ${column} must have a value`, { ...place, column });
}

/** No value is given for a column that must have one. */
export function missingColumnFault(column: string, place: RowPlace): ContentFault {
  return rowFault(`column ${column} is missing, and it must have a value`, { ...place, column });
}

/** The table has no such column; `advice` ends the sentence. */
export function unknownColumnFault(
  name: string,
  columns: readonly TableColumn[],
  place: RowPlace,
  advice = '',
): ContentFault {
  const listed = columns.slice(0, MAX_LISTED_NAMES).map((column) => column.name);
  const names = columns.length > listed.length ? `${listed.join(', ')}, …` : listed.join(', ');
  const column = beginningOf(name);
  return rowFault(`the table has no column '${column}', its columns are ${names}${advice}`, { ...place, column });
}

/** A fault of a row, whatever its format. */
export function rowFault(
  problem: string,
  details: RowPlace & Record<string, string | number | undefined>,
): ContentFault {
  const { row, ...others } = details;
  const where = row === undefined ? `line ${details.line}` : `row ${row} (line ${details.line})`;
  const known = row === undefined ? others : { ...others, row };
  return new ContentFault({
    code: 'invalid_row',
    message: `${where}: ${problem}`,
    details: known as Record<string, string | number>,
  });
}
