import type { Column } from '../../../../duckdb/column.js';
import type { Connection } from '../../../../duckdb/engine/engine.js';
import { quoted, sql } from '../../../../duckdb/sql.js';
import { storedValueSql } from '../../../../duckdb/stored-value.js';
import { isWideInteger } from '../../../../duckdb/wide-integer.js';
import { RESULT_FILE } from '../run-messages.js';
import type { CopyStatistics } from './copy-statistics.js';
import type { PlannedColumn } from './result-columns.js';

const GREATEST = BigInt(Number.MAX_SAFE_INTEGER);

/** Completes the columns of a written result: whether their wide integers can be printed as JSON numbers. */
export async function toColumns(
  connection: Connection,
  planned: readonly PlannedColumn[],
  statistics: CopyStatistics,
): Promise<Column[]> {
  const columns: Column[] = [];
  for (const column of planned) {
    const isSafeInteger = isWideInteger(column.type) && (await areSafeIntegers(connection, column, statistics));
    columns.push({ ...column, isSafeInteger });
  }
  return columns;
}

async function areSafeIntegers(connection: Connection, column: PlannedColumn, statistics: CopyStatistics) {
  const { min, max } = column.storedAs === 'text' ? await findRange(connection, column) : statistics.of(column.name);
  if (min === undefined || max === undefined) return statistics.of(column.name).nullCount === statistics.rowCount;
  return BigInt(min) >= -GREATEST && BigInt(max) <= GREATEST;
}

/** What the engine told of a column kept as text is its least and greatest text, which says nothing of the numbers. */
async function findRange(connection: Connection, column: PlannedColumn): Promise<{ min?: string; max?: string }> {
  const value = storedValueSql({ ...column, isSafeInteger: false });
  const [row] = await connection.rows(sql`
    SELECT CAST(min(${value}) AS VARCHAR), CAST(max(${value}) AS VARCHAR) FROM read_parquet(${quoted(RESULT_FILE)})`);
  const [min, max] = row ?? [];
  return typeof min === 'string' && typeof max === 'string' ? { min, max } : {};
}
