import { raw, type Sql, sql } from '../duckdb/sql.js';
import { isNested, type LogicalType } from './column.js';
import { nestedJsonSql } from './nested-json.js';
import { scalarTextSql } from './scalar-text.js';
import { scalarRecord } from './type-of.js';
import type { StorageEncoding } from './type-record.js';

/**
 * SQL that turns a value of the engine's type into what the result's Parquet file holds. `decimal`
 * fails with a conversion error for values beyond ±(10^38 - 1): the column then has to be stored as
 * `text`.
 */
export function toStoredSql(value: Sql, type: LogicalType, encoding: StorageEncoding): Sql {
  if (encoding === 'decimal') return sql`CAST(${value} AS DECIMAL(38, 0))`;
  if (isNested(type)) return nestedJsonSql(value, type);
  if (encoding === 'text') return scalarTextSql(value, type);
  const { storedAs } = scalarRecord(type);
  return storedAs === undefined ? value : sql`CAST(${value} AS ${raw(storedAs)})`;
}
