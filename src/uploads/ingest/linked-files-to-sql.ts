import { quoted, raw, type Sql, sql } from '../../duckdb/sql.js';
import type { LinkedFiles } from '../linked-files.js';

/**
 * SQL for the rows of linked files. Files need not have the same columns in the same order: they go by name, and NULL is where one has not.
 */
export function linkedFilesToSql({ format, files, isHive }: LinkedFiles): Sql {
  const paths = files.map(({ path }) => quoted(path));
  const options = sql`[${paths}], union_by_name = true, hive_partitioning = ${raw(String(isHive))}`;
  switch (format) {
    case 'parquet':
      return sql`read_parquet(${options})`;
    case 'csv':
      return sql`read_csv(${options}, sample_size = -1)`;
    case 'ndjson':
      return sql`read_ndjson(${options}, sample_size = -1)`;
  }
}
