import { identifier, join, quoted, raw, type Sql, sql } from '../../../duckdb/sql.js';
import type { NamedType } from '../../../types/column.js';
import { typeToSql } from '../../../types/type-to-sql.js';
import { hiveOptions, type TextSource, textRowsToSql } from '../../ingest/child/linked/text-rows-to-sql.js';
import type { PreparedTable } from './linked-texts.js';

/** Compiles a table to a SELECT over its files. Filters and projections on it reach the files. */
export function rowsToSql({ files, reading, texts, casts = [] }: PreparedTable): Sql {
  if (reading && texts) return textRowsToSql(texts, toTextSource(reading), quoted);
  if (reading) return sql`SELECT ${selectionToSql(reading)} FROM ${linkedParquetToSql(files, reading)} AS files`;
  const source = partsToSql(files);
  if (casts.length === 0) return sql`SELECT * FROM ${source}`;
  return sql`SELECT * REPLACE (${casts.map(castToSql)}) FROM ${source} AS files`;
}

/** Parts of one table have the same columns. */
function partsToSql(files: readonly string[]): Sql {
  return sql`read_parquet([${files.map(quoted)}], hive_partitioning = false, union_by_name = false)`;
}

type Reading = NonNullable<PreparedTable['reading']>;

function toTextSource({ columns, partitions = [], text }: Reading): TextSource {
  return { columns, partitions, ...(text?.layout && { layout: text.layout }) };
}

function linkedParquetToSql(files: readonly string[], { isHive, partitions = [] }: Reading): Sql {
  const hive = isHive && partitions.length === 0 ? raw('hive_partitioning = true') : hiveOptions(partitions);
  return sql`read_parquet([${files.map(quoted)}], union_by_name = true, ${hive})`;
}

/**
 * By name: columns that files have gained are left out, and lost ones are errors. Parquet files
 * have types of their own: a cast to the same type is none, so that filters still reach the files.
 */
function selectionToSql({ columns, partitions = [] }: Reading): Sql[] {
  if (columns.length === 0) return [raw('*')];
  return [...columns.map(castToSql), ...partitions.map(inFiles)];
}

function castToSql({ name, type }: NamedType): Sql {
  return sql`CAST(${inFiles({ name })} AS ${typeToSql(type)}) AS ${identifier(name)}`;
}

/** A column of the files, which is not to be mistaken for the one that is made of it. */
function inFiles({ name }: Pick<NamedType, 'name'>): Sql {
  return join([raw('files'), identifier(name)], '.');
}
