import type { Connection } from '../../../duckdb/connection/connection.js';
import type { RunResult } from '../run.js';
import type { CopyStatistics } from './copy-statistics.js';
import { fitResult } from './fit-result.js';
import type { GatedStatement } from './gate/statement-gate.js';
import { measureResult } from './measure-result.js';
import { type PlannedColumn, withoutDecimals } from './result-columns.js';
import { ResultTooLargeError } from './result-too-large-error.js';
import { toColumns } from './safe-integers.js';
import { StatementError } from './statement-error.js';
import { writeResult } from './write-result.js';

/**
 * Writes the rows of a statement to the result file: all of them, or with `fitBytes` the first
 * rows, as many as fit.
 *
 * @throws StatementError, ResultTooLargeError
 */
export async function storeResult(
  connection: Connection,
  statement: GatedStatement,
  planned: readonly PlannedColumn[],
  fitBytes?: number,
): Promise<RunResult> {
  try {
    return await storeAs(connection, statement, planned, fitBytes);
  } catch (error) {
    const hasDecimals = planned.some(({ storedAs }) => storedAs === 'decimal');
    if (!hasDecimals || !isBeyondDecimal(error)) throw error;
    return await storeAs(connection, statement, withoutDecimals(planned), fitBytes);
  }
}

/** A 128-bit integer was too large for the DECIMAL(38, 0) that it was to be stored as. */
function isBeyondDecimal(error: unknown): boolean {
  return error instanceof StatementError && error.type === 'Conversion' && error.message.includes('DECIMAL(38,0)');
}

async function storeAs(
  connection: Connection,
  statement: GatedStatement,
  planned: readonly PlannedColumn[],
  fitBytes: number | undefined,
): Promise<RunResult> {
  const { statistics, isWhole } =
    fitBytes === undefined
      ? { statistics: await writeResult(connection, statement, planned), isWhole: true }
      : await writeFitting(connection, statement, planned, fitBytes);
  const { rowCount, fileBytes } = statistics;
  const columns = await toColumns(connection, planned, statistics);
  const size = await measureResult(connection, columns, statistics);
  return { columns, rowCount, fileBytes, ...size, isTruncated: !isWhole };
}

async function writeFitting(
  connection: Connection,
  statement: GatedStatement,
  planned: readonly PlannedColumn[],
  fitBytes: number,
) {
  const fitted = await fitResult(fitBytes, (rows) => writeFirst(connection, statement, planned, rows, fitBytes));
  if (!fitted) throw new ResultTooLargeError(`The first row of the result exceeds the limit of ${fitBytes} bytes`);
  return fitted;
}

/**
 * Writes the first rows. If the system stops the file from growing, it counts as so much too large.
 */
async function writeFirst(
  connection: Connection,
  statement: GatedStatement,
  planned: readonly PlannedColumn[],
  rows: number,
  fitBytes: number,
): Promise<CopyStatistics> {
  try {
    return await writeResult(connection, statement, planned, rows);
  } catch (error) {
    if (!(error instanceof StatementError && error.isFileTooLarge)) throw error;
    return { rowCount: rows, fileBytes: 16 * fitBytes, of: () => ({ nullCount: 0 }) };
  }
}
