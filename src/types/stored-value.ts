import { identifier, raw, type Sql, sql } from '../duckdb/sql.js';
import type { Column } from './column.js';
import { decimalParser } from './literals/exact-number-parser.js';
import type { LiteralParser } from './literals/literal.js';
import { recordOf } from './type-of.js';

/** How the values of a stored column are compared, and with which literals. */
export function comparisonOf({ type, storedAs }: Column): LiteralParser {
  return storedAs === 'decimal' ? decimalParser(38, 0) : recordOf(type).literals;
}

/** SQL for a stored column's value in its logical order. Nested values are their JSON text. */
export function storedValueSql(column: Column): Sql {
  const stored = identifier(column.name);
  const { castTo } = comparisonOf(column);
  if (column.storedAs !== 'text' || castTo === 'VARCHAR') return stored;
  return sql`CAST(${stored} AS ${raw(castTo)})`;
}
