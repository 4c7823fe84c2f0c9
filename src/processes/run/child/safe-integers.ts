import type { Connection } from '../../../duckdb/connection/connection.js';
import { quoted, sql } from '../../../duckdb/sql.js';
import type { Column, IntegerRange } from '../../../types/column.js';
import { storedValueSql } from '../../../types/stored-value.js';
import { isWideInteger } from '../../../types/wide-integer.js';
import { RESULT_FILE } from '../run-messages.js';
import type { CopyStatistics } from './copy-statistics.js';
import type { PlannedColumn } from './result-columns.js';

const GREATEST = BigInt(Number.MAX_SAFE_INTEGER);

/** Completes the columns of a written result: the range of their wide integers, and whether they can be printed as JSON numbers. */
export async function toColumns(
  connection: Connection,
  planned: readonly PlannedColumn[],
  statistics: CopyStatistics,
): Promise<Column[]> {
  const columns: Column[] = [];
  for (const column of planned) {
    const range = isWideInteger(column.type) ? await rangeOf(connection, column, statistics) : undefined;
    const isSafeInteger = isWideInteger(column.type) && isSafe(range, statistics, column);
    columns.push({ ...column, isSafeInteger, ...(range && { range }) });
  }
  return columns;
}

/** Without a range, only a column that is all NULL is known to be safe. */
function isSafe(range: IntegerRange | undefined, statistics: CopyStatistics, { name }: PlannedColumn): boolean {
  if (!range) return statistics.of(name).nullCount === statistics.rowCount;
  return BigInt(range.min) >= -GREATEST && BigInt(range.max) <= GREATEST;
}

/** What the engine told of a column kept as text is its least and greatest text, which says nothing of the numbers. */
async function rangeOf(
  connection: Connection,
  column: PlannedColumn,
  statistics: CopyStatistics,
): Promise<IntegerRange | undefined> {
  const { min, max } = column.storedAs === 'text' ? await findRange(connection, column) : statistics.of(column.name);
  return min === undefined || max === undefined ? undefined : { min, max };
}

async function findRange(connection: Connection, column: PlannedColumn): Promise<Partial<IntegerRange>> {
  const value = storedValueSql({ ...column, isSafeInteger: false });
  const [row] = await connection.rows(sql`
    SELECT CAST(min(${value}) AS VARCHAR), CAST(max(${value}) AS VARCHAR) FROM read_parquet(${quoted(RESULT_FILE)})`);
  const [min, max] = row ?? [];
  return typeof min === 'string' && typeof max === 'string' ? { min, max } : {};
}
