import type { Column } from '../types/column.js';
import { bindFilter } from './bind-filter.js';
import { type ColumnFinder, columnFinder } from './column-finder.js';
import { DuplicateColumnError } from './read-plan.errors.js';
import type { ReadPlan, SortKey } from './read-plan.js';

/**
 * Resolves a parsed plan against the columns of a result. A bound plan cannot fail any more.
 * @throws DomainError for a name that is unknown, ambiguous or repeated, or an unfit literal.
 */
export function bindReadPlan(plan: ReadPlan<string>, columns: readonly Column[]): ReadPlan<Column> {
  const find = columnFinder(columns);
  return {
    projection: plan.projection === 'all' ? columns : bindProjection(plan.projection, find),
    ...(plan.filter && { filter: bindFilter(plan.filter, find) }),
    sortKeys: bindSortKeys(plan.sortKeys, find),
    page: plan.page,
    ...(plan.sample && { sample: plan.sample }),
    ...(plan.csvNull !== undefined && { csvNull: plan.csvNull }),
  };
}

function bindProjection(names: readonly string[], find: ColumnFinder): readonly Column[] {
  const bound = new Set<Column>();
  for (const name of names) {
    const column = find(name, 'columns');
    if (bound.has(column)) throw new DuplicateColumnError(name);
    bound.add(column);
  }
  return [...bound];
}

/** A repeated column is left out: it cannot change the order any more. */
function bindSortKeys(keys: readonly SortKey<string>[], find: ColumnFinder): readonly SortKey<Column>[] {
  const bound = new Map<Column, SortKey<Column>>();
  for (const { column: name, direction } of keys) {
    const column = find(name, 'sort_by');
    if (!bound.has(column)) bound.set(column, { column, direction });
  }
  return [...bound.values()];
}
