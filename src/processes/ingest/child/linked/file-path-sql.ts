import { quoted, type Sql } from '../../../../duckdb/sql.js';

/** SQL for the path of one file, for a reader that would take it for a glob: what is special in one stands in brackets. */
export function filePathSql(path: string): Sql {
  return quoted(path.replaceAll(/[[*?]/g, '[$&]'));
}
