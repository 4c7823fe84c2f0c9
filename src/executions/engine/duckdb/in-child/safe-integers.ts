import type { Column } from '../../../../duckdb/column.js';
import { isWideInteger } from '../../../../duckdb/wide-integer.js';
import type { CopyStatistics } from './copy-statistics.js';
import type { PlannedColumn } from './result-columns.js';

const GREATEST = BigInt(Number.MAX_SAFE_INTEGER);

/** Completes the columns of a written result: whether their wide integers can be printed as JSON numbers. */
export function toColumns(planned: readonly PlannedColumn[], statistics: CopyStatistics): Column[] {
  return planned.map((column) => ({ ...column, isSafeInteger: isSafeInteger(column, statistics) }));
}

function isSafeInteger({ name, type, storedAs }: PlannedColumn, statistics: CopyStatistics): boolean {
  // Kept as text, a value is beyond 10^38, or its column's least and greatest text say nothing.
  if (!isWideInteger(type) || storedAs === 'text') return false;
  const { min, max } = statistics.of(name);
  if (min === undefined || max === undefined) return statistics.of(name).nullCount === statistics.rowCount;
  return BigInt(min) >= -GREATEST && BigInt(max) <= GREATEST;
}
