import type { Connection } from '../../../duckdb/connection/connection.js';
import { quoted, sql } from '../../../duckdb/sql.js';
import type { Column, IntegerRange } from '../../../types/column.js';
import { storedValueSql } from '../../../types/stored-value.js';
import { recordOf } from '../../../types/type-of.js';
import { RESULT_FILE } from '../run-messages.js';
import type { CopyStatistics } from './copy-statistics.js';
import type { PlannedColumn } from './result-columns.js';

const GREATEST = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Completes the columns of a written result: ranges of wide integers, and whether they are safe in
 * JSON.
 */
export async function toColumns(
  connection: Connection,
  planned: readonly PlannedColumn[],
  statistics: CopyStatistics,
): Promise<Column[]> {
  const columns: Column[] = [];
  for (const column of planned) {
    const isWide = recordOf(column.type).json === 'wide_integer';
    const range = isWide ? await rangeOf(connection, column, statistics) : undefined;
    const isSafeInteger = isWide && isSafe(range, statistics, column);
    columns.push({ ...column, isSafeInteger, ...(range && { range }) });
  }
  return columns;
}

/** Without a range, only a column that is all NULL is known to be safe. */
function isSafe(range: IntegerRange | undefined, statistics: CopyStatistics, { name }: PlannedColumn): boolean {
  if (!range) return statistics.of(name).nullCount === statistics.rowCount;
  return BigInt(range.min) >= -GREATEST && BigInt(range.max) <= GREATEST;
}

/**
 * The range of a column. Statistics of one that is stored as text are useless: texts compare
 * otherwise.
 */
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
