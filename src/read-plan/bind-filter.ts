import type { Column } from '../types/column.js';
import { bindLiteral, requireText } from './bind-literal.js';
import type { ColumnFinder } from './column-finder.js';
import type { Filter } from './read-plan.js';

/** Resolves the names of a filter and fits each literal to its column. */
export function bindFilter(filter: Filter<string>, find: ColumnFinder): Filter<Column> {
  if (filter.kind === 'logical') {
    return { ...filter, operands: filter.operands.map((operand) => bindFilter(operand, find)) };
  }
  const column = find(filter.column, 'filters');
  switch (filter.kind) {
    case 'comparison':
      return { ...filter, column, value: bindLiteral(filter.value, column) };
    case 'membership':
      return { ...filter, column, values: filter.values.map((literal) => bindLiteral(literal, column)) };
    case 'pattern':
      requireText(column, filter.operator);
      return { ...filter, column };
    case 'is_null':
      return { ...filter, column };
  }
}
