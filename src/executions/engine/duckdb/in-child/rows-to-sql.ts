import type { NamedType } from '../../../../duckdb/column.js';
import { columnTypesToSql, csvReadingToSql } from '../../../../duckdb/csv-reading.js';
import { identifier, join, quoted, raw, type Sql, sql } from '../../../../duckdb/sql.js';
import { typeToSql } from '../../../../duckdb/type-to-sql.js';
import type { LinkedTable } from '../run-messages.js';

/** The SELECT that yields the rows of a table from its files. Filters and projections on it reach the files. */
export function rowsToSql({ files, reading, casts = [] }: LinkedTable): Sql {
  if (reading) return sql`SELECT ${selectionToSql(reading)} FROM ${readingToSql(files, reading)} AS files`;
  const source = partsToSql(files);
  if (casts.length === 0) return sql`SELECT * FROM ${source}`;
  return sql`SELECT * REPLACE (${casts.map(castToSql)}) FROM ${source} AS files`;
}

/** Parts of one table have the same columns. */
function partsToSql(files: readonly string[]): Sql {
  return sql`read_parquet([${files.map(quoted)}], hive_partitioning = false, union_by_name = false)`;
}

function readingToSql(files: readonly string[], reading: NonNullable<LinkedTable['reading']>): Sql {
  const { format, isHive, columns, partitions = [], dialect } = reading;
  const shared = sql`[${files.map(quoted)}], hive_partitioning = ${raw(String(isHive))}, union_by_name = true`;
  const options = partitions.length > 0 ? sql`${shared}, hive_types = ${columnTypesToSql(partitions)}` : shared;
  switch (format) {
    case 'parquet':
      return sql`read_parquet(${options})`;
    case 'csv':
      return sql`read_csv(${options}, ${csvReadingToSql(columns, dialect)})`;
    case 'ndjson':
      return sql`read_json(${options}, format = 'newline_delimited', columns = ${columnTypesToSql(columns)})`;
  }
}

/**
 * By name, so that columns which files have come to have since stay out, and those that they have lost are missed. Parquet files bring their own
 * types: a cast to the type that a column has anyway is none, so that filters still reach the files.
 */
function selectionToSql({ format, columns, partitions = [] }: NonNullable<LinkedTable['reading']>): Sql[] {
  if (columns.length === 0) return [raw('*')];
  const own = columns.map((column) => (format === 'parquet' ? castToSql(column) : inFiles(column)));
  return [...own, ...partitions.map(inFiles)];
}

function castToSql({ name, type }: NamedType): Sql {
  return sql`CAST(${inFiles({ name })} AS ${typeToSql(type)}) AS ${identifier(name)}`;
}

/** A column of the files, which is not to be mistaken for the one that is made of it. */
function inFiles({ name }: Pick<NamedType, 'name'>): Sql {
  return join([raw('files'), identifier(name)], '.');
}
