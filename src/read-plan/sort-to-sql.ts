import { join, raw, type Sql, sql } from '../duckdb/sql.js';
import type { Column } from '../types/column.js';
import { storedValueSql } from '../types/stored-value.js';
import type { SortKey } from './read-plan.js';

/** Compiles sort keys to the terms of an ORDER BY. Ties keep stored order, so that pages add up. */
export function sortToSql(keys: readonly SortKey<Column>[], rowNumber: Sql): Sql {
  const terms = keys.map(({ column, direction }) => sql`${storedValueSql(column)} ${raw(direction)} NULLS LAST`);
  return join([...terms, rowNumber], ', ');
}
