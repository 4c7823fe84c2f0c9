import { identifier, raw, type Sql, sql } from '../duckdb/sql.js';
import type { Column } from '../types/column.js';

/** The rows of a stored result, ready to be selected from. */
export interface StoredRows {
  /** What a FROM refers to. */
  readonly relation: Sql;
  /** A row's position in stored order, from 0: an expression over `relation`. */
  readonly rowNumber: Sql;
}

const ROW_NUMBER = 'file_row_number';

/**
 * Finds a name for the row number, a virtual column of the file.
 * @param file the result's file, such as `read_parquet('…')` without the option `file_row_number`.
 * @param columns all columns of the result, in stored order.
 */
export function storedRows(file: Sql, columns: readonly Column[]): StoredRows {
  const taken = new Set(columns.map((column) => column.name.toLowerCase()));
  if (!taken.has(ROW_NUMBER)) return { relation: file, rowNumber: raw(ROW_NUMBER) };
  return withoutCollision(file, columns, taken);
}

/** A stored column of the same name hides the virtual one, so stored columns are renamed. */
function withoutCollision(file: Sql, columns: readonly Column[], taken: ReadonlySet<string>): StoredRows {
  let free = ROW_NUMBER;
  while (taken.has(free)) free += '_';
  const aliases = columns.map((_, index) => identifier(`column_${index}`));
  const renamed = columns.map(({ name }, index) => sql`${identifier(`column_${index}`)} AS ${identifier(name)}`);
  const rowNumber = identifier(free);
  return {
    relation: sql`(SELECT ${renamed}, ${raw(ROW_NUMBER)} AS ${rowNumber} FROM ${file} AS stored (${aliases}))`,
    rowNumber,
  };
}
