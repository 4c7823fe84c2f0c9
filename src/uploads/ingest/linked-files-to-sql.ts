import type { NamedType } from '../../duckdb/column.js';
import { type CsvDialect, csvDialectToSql, csvReadingToSql } from '../../duckdb/csv-reading.js';
import { quoted, raw, type Sql, sql } from '../../duckdb/sql.js';
import type { LinkedFiles } from '../linked-files.js';

/**
 * SQL for the rows of linked files. Files need not have the same columns in the same order: they go by name, and NULL is where one has not.
 *
 * @param dialect of CSV files, if it is known.
 */
export function linkedFilesToSql(files: LinkedFiles, dialect?: CsvDialect): Sql {
  const options = optionsOf(files);
  switch (files.format) {
    case 'parquet':
      return sql`read_parquet(${options})`;
    case 'csv':
      return sql`read_csv(${options}, sample_size = -1${dialect ? sql`, ${csvDialectToSql(dialect)}` : raw('')})`;
    case 'ndjson':
      return sql`read_ndjson(${options}, sample_size = -1)`;
  }
}

/** SQL for the rows of linked CSV files, as a run reads them. */
export function readCsvFilesSql(files: LinkedFiles, columns: readonly NamedType[], dialect: CsvDialect): Sql {
  return sql`read_csv(${optionsOf(files)}, ${csvReadingToSql(columns, dialect)})`;
}

function optionsOf({ files, isHive }: LinkedFiles): Sql {
  const paths = files.map(({ path }) => filePathSql(path));
  return sql`[${paths}], union_by_name = true, hive_partitioning = ${raw(String(isHive))}`;
}

/** SQL for the path of one file, for a reader that would take it for a glob: what is special in one stands in brackets. */
export function filePathSql(path: string): Sql {
  return quoted(path.replaceAll(/[[*?]/g, '[$&]'));
}
