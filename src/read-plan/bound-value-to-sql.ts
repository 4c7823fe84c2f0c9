import { bind, raw, type Sql, sql } from '../duckdb/sql.js';
import type { BoundValue } from './read-plan.js';

/** A placeholder with the value, cast to the type of its column: the engine can skip row groups. */
export function boundValueToSql({ text, castTo }: Pick<BoundValue, 'text' | 'castTo'>): Sql {
  return sql`CAST(${bind(text)} AS ${raw(castTo)})`;
}
