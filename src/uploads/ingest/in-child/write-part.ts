import type { Connection } from '../../../duckdb/engine/engine.js';
import { quoted, raw, type Sql, sql } from '../../../duckdb/sql.js';

/** Rows in a row group: what the reading side was tuned for. */
const ROW_GROUP_ROWS = 122_880;
/** The engine holds a row group in memory before it writes it. */
const ROW_GROUP_BYTES = 64_000_000;
/** The engine's vectors have so many rows. */
const MIN_ROW_GROUP_ROWS = 2_048;

/** Rows of a row group that stays within the memory, for rows of this size in their text form. */
export function rowGroupRows(rowBytes: number): number {
  return Math.max(MIN_ROW_GROUP_ROWS, Math.min(ROW_GROUP_ROWS, Math.floor(ROW_GROUP_BYTES / Math.max(1, rowBytes))));
}

/** Writes the rows of a query, in their order, to a Parquet file; returns their number. */
export async function writePart(
  connection: Connection,
  query: Sql,
  target: string,
  groupRows = ROW_GROUP_ROWS,
): Promise<number> {
  const options = raw(
    `FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${groupRows}, USE_TMP_FILE false, RETURN_STATS true`,
  );
  const [row] = await connection.rows(sql`COPY (${query}) TO ${quoted(target)} (${options})`);
  return Number(row?.[1]);
}
