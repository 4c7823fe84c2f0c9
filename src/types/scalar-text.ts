import { identifier, type Sql, sql } from '../duckdb/sql.js';
import { type Column, isNested, type ScalarType } from './column.js';
import { scalarRecord } from './type-of.js';

/** SQL for the text of a scalar value (`docs/contract.md`, "JSON values"). NULL stays NULL. */
export function scalarTextSql(value: Sql, type: ScalarType): Sql {
  const { text } = scalarRecord(type);
  return text === 'engine' ? sql`CAST(${value} AS VARCHAR)` : text(value);
}

/** SQL for a stored column's value, whose text as the engine writes it is the wire text. */
export function printableSql({ name, type, storedAs }: Column): Sql {
  const stored = identifier(name);
  if (storedAs !== 'same' || isNested(type)) return stored;
  const { text } = scalarRecord(type);
  return text === 'engine' ? stored : text(stored);
}
