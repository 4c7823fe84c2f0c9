import type { Connection } from '../../../duckdb/connection/connection.js';
import { quoted, sql } from '../../../duckdb/sql.js';
import type { Column } from '../../../types/column.js';
import { fixedWidthBytes, logicalBytesSql } from '../../../types/logical-bytes.js';
import type { RunResult } from '../run.js';
import { RESULT_FILE } from '../run-messages.js';
import type { CopyStatistics } from './copy-statistics.js';

/**
 * Measures the result file. For columns of fixed width, the statistics of the engine are enough.
 * Columns whose values differ in size, or that may have none, are read again.
 */
export async function measureResult(
  connection: Connection,
  columns: readonly Column[],
  statistics: CopyStatistics,
): Promise<Pick<RunResult, 'logicalBytes' | 'maxRowBytes'>> {
  const { rowCount } = statistics;
  if (rowCount === 0) return { logicalBytes: 0, maxRowBytes: 0 };
  const even = columns.filter(
    ({ name, type }) => fixedWidthBytes(type) !== undefined && statistics.of(name).nullCount === 0,
  );
  const evenRowBytes = even.reduce((bytes, { type }) => bytes + (fixedWidthBytes(type) ?? 0), 0);
  const uneven = columns.filter((column) => !even.includes(column));
  if (uneven.length === 0) return { logicalBytes: evenRowBytes * rowCount, maxRowBytes: evenRowBytes };
  const [row] = await connection.rows(sql`
    SELECT sum(bytes), max(bytes)
    FROM (SELECT ${logicalBytesSql(uneven)} AS bytes FROM read_parquet(${quoted(RESULT_FILE)}))`);
  return {
    logicalBytes: evenRowBytes * rowCount + Number(row?.[0]),
    maxRowBytes: evenRowBytes + Number(row?.[1]),
  };
}
