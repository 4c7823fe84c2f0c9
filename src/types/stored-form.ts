import { type Sql, sql } from '../duckdb/sql.js';
import type { LogicalType, ScalarName, StoredForm } from './column.js';
import { nestedJsonSql } from './nested-json.js';
import { isNested } from './nested-type.js';
import { scalarTextSql } from './scalar-text.js';

/** Types that Parquet, as this engine writes it, would change, or whose text is all that a reader needs. */
const STORED_AS_TEXT: ReadonlySet<ScalarName> = new Set<ScalarName>([
  'BIGNUM',
  'JSON',
  'BIT',
  'ENUM',
  'TIMETZ',
  'INTERVAL',
  'VARIANT',
  'GEOMETRY',
  'NULL',
]);

/**
 * How to store a column. A 128-bit integer is `decimal`; if one of its values lies beyond ±(10^38 - 1), storing fails
 * with a conversion error and the column has to be stored as `text`.
 */
export function storedForm(type: LogicalType): StoredForm {
  if (type.kind === 'decimal') return 'same';
  if (type.kind !== 'scalar') return 'text';
  if (type.name === 'HUGEINT' || type.name === 'UHUGEINT') return 'decimal';
  return STORED_AS_TEXT.has(type.name) ? 'text' : 'same';
}

/** SQL that turns a value of the engine's type into what the result's Parquet file holds. */
export function toStoredSql(value: Sql, type: LogicalType, form: StoredForm): Sql {
  switch (form) {
    case 'same':
      return isCoarseTimestamp(type) ? sql`CAST(${value} AS TIMESTAMP)` : value;
    case 'decimal':
      return sql`CAST(${value} AS DECIMAL(38, 0))`;
    case 'text':
      return isNested(type) ? nestedJsonSql(value, type) : scalarTextSql(value, type);
  }
}

/** Parquet has no seconds, and reads milliseconds back as microseconds. */
function isCoarseTimestamp(type: LogicalType): boolean {
  return type.kind === 'scalar' && (type.name === 'TIMESTAMP_S' || type.name === 'TIMESTAMP_MS');
}
