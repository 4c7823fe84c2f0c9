import { identifier, raw, type Sql, sql } from '../duckdb/sql.js';
import type { Column } from './column.js';

/** Types whose stored text sorts and compares otherwise than their values. */
const COMPARED_AS: Readonly<Record<string, string>> = {
  HUGEINT: 'HUGEINT',
  UHUGEINT: 'UHUGEINT',
  BIGNUM: 'BIGNUM',
  TIMETZ: 'TIMETZ',
  INTERVAL: 'INTERVAL',
};

/** SQL for a stored column's value in its logical order, for comparing and sorting. Nested values are their JSON text. */
export function storedValueSql({ name, type, storedAs }: Column): Sql {
  const stored = identifier(name);
  const comparedAs = storedAs === 'text' && type.kind === 'scalar' ? COMPARED_AS[type.name] : undefined;
  return comparedAs === undefined ? stored : sql`CAST(${stored} AS ${raw(comparedAs)})`;
}
