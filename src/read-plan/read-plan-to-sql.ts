import { identifier, join, type Sql, sql } from '../duckdb/sql.js';
import type { Column } from '../types/column.js';
import { boundValueToSql } from './bound-value-to-sql.js';
import { filterToSql } from './filter-to-sql.js';
import type { Page, ReadPlan } from './read-plan.js';
import { sampleToSql } from './sample-to-sql.js';
import { sortToSql } from './sort-to-sql.js';
import type { StoredRows } from './stored-rows.js';

/**
 * Compiles a bound plan to one SELECT of the page's rows, in order, with the columns as stored.
 *
 * A filtered or sorted page has one row more than its limit if a further page follows, except under
 * `limit` 0. A page in stored order has just its rows: the total number of rows implies the rest.
 *
 * Rows without a LIMIT lose their order in a subquery, because the engine reads several row groups
 * at once: the caller asks for the row number in `beside`, and sorts by it.
 *
 * @param totalRows number of rows of the whole result.
 * @param beside further columns: expressions over the stored rows.
 */
export function readPlanToSql(
  plan: ReadPlan<Column>,
  rows: StoredRows,
  totalRows: number,
  beside: readonly Sql[] = [],
): Sql {
  const names = [...plan.projection.map((column) => identifier(column.name)), ...beside];
  const conditions = conditionsToSql(plan, rows, totalRows);
  const limit = isStoredOrder(plan) ? [] : limitToSql(plan.page);
  if (!isSortedInWhole(plan)) return selectSql(names, plan, rows, conditions, limit);
  // Sorting takes memory for all columns: here a key and a number a row, then the rows of the page.
  const found = selectSql([rows.rowNumber], plan, rows, conditions, limit);
  return selectSql(names, plan, rows, [sql`${rows.rowNumber} IN (${found})`], limitToSql({ ...plan.page, offset: 0 }));
}

function selectSql(
  names: readonly Sql[],
  { sortKeys }: ReadPlan<Column>,
  { relation, rowNumber }: StoredRows,
  conditions: readonly Sql[],
  limit: readonly Sql[],
): Sql {
  return join(
    [
      sql`SELECT ${names} FROM ${relation}`,
      ...(conditions.length > 0 ? [sql`WHERE ${join(conditions, ' AND ')}`] : []),
      ...(sortKeys.length > 0 ? [sql`ORDER BY ${sortToSql(sortKeys, rowNumber)}`] : []),
      ...limit,
    ],
    ' ',
  );
}

/** For so many rows the engine never sorts others. */
const TOP_ROWS = 5_000;

/** Whether the engine may have to sort all rows for the page. */
function isSortedInWhole({ sortKeys, page }: ReadPlan<Column>): boolean {
  return sortKeys.length > 0 && page.limit !== undefined && page.offset + page.limit >= TOP_ROWS;
}

/** Whether the page is a range of row numbers, which costs the same at every offset. */
export function isStoredOrder(plan: ReadPlan<Column>): boolean {
  return plan.filter === undefined && plan.sortKeys.length === 0;
}

function conditionsToSql(plan: ReadPlan<Column>, { rowNumber }: StoredRows, totalRows: number): readonly Sql[] {
  if (plan.sample) {
    const condition = sampleToSql(plan.sample, totalRows, rowNumber);
    return condition ? [condition] : [];
  }
  if (plan.filter) return [filterToSql(plan.filter)];
  return isStoredOrder(plan) ? rangeToSql(plan.page, rowNumber) : [];
}

function rangeToSql({ offset, limit }: Page, rowNumber: Sql): readonly Sql[] {
  return [
    ...(offset > 0 ? [sql`${rowNumber} >= ${rowCount(offset)}`] : []),
    ...(limit === undefined ? [] : [sql`${rowNumber} < ${rowCount(offset + limit)}`]),
  ];
}

function limitToSql({ offset, limit }: Page): readonly Sql[] {
  return [
    ...(limit === undefined ? [] : [sql`LIMIT ${rowCount(limit === 0 ? 0 : limit + 1)}`]),
    ...(offset > 0 ? [sql`OFFSET ${rowCount(offset)}`] : []),
  ];
}

function rowCount(rows: number): Sql {
  return boundValueToSql({ text: String(rows), castTo: 'BIGINT' });
}
