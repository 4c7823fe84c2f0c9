import { join, raw, type Sql, sql } from '../duckdb/sql.js';
import type { Column } from '../types/column.js';
import { storedValueSql } from '../types/stored-value.js';
import { boundValueToSql } from './bound-value-to-sql.js';
import type { BoundValue, Filter, Operator } from './read-plan.js';

/** Compiles a bound filter. Literals are bound and names quoted: nothing of them is SQL syntax. */
export function filterToSql(filter: Filter<Column>): Sql {
  switch (filter.kind) {
    case 'comparison':
      return comparisonToSql(storedValueSql(filter.column), filter.operator, filter.value);
    case 'pattern':
      return sql`${storedValueSql(filter.column)} ${raw(filter.operator)} ${boundValueToSql({ text: filter.pattern, castTo: 'VARCHAR' })}`;
    case 'membership':
      return membershipToSql(storedValueSql(filter.column), filter.values);
    case 'is_null':
      return sql`${storedValueSql(filter.column)} IS NULL`;
    case 'logical':
      return sql`(${join(filter.operands.map(filterToSql), ` ${filter.connective} `)})`;
  }
}

/** No value equals a literal that is above or below the bound value. */
function comparisonToSql(column: Sql, operator: Operator, value: BoundValue): Sql {
  const bound = boundValueToSql(value);
  if (value.literalIs === 'equal') return sql`${column} ${raw(operator)} ${bound}`;
  const isAbove = value.literalIs === 'above';
  switch (operator) {
    case '=':
      return raw('FALSE');
    case '<>':
      return sql`${column} IS NOT NULL`;
    case '<':
    case '<=':
      return sql`${column} ${raw(isAbove ? '<=' : '<')} ${bound}`;
    case '>':
    case '>=':
      return sql`${column} ${raw(isAbove ? '>' : '>=')} ${bound}`;
  }
}

function membershipToSql(column: Sql, values: readonly BoundValue[]): Sql {
  const candidates = values.filter((value) => value.literalIs === 'equal');
  return candidates.length === 0 ? raw('FALSE') : sql`${column} IN (${candidates.map(boundValueToSql)})`;
}
