import type { Connection } from '../../../duckdb/connection/connection.js';
import type { Column } from '../../../types/column.js';
import type { CopyStatistics } from './copy-statistics.js';
import { EngineFault } from './engine-fault.js';
import { fitResult } from './fit-result.js';
import type { GatedStatement } from './gate/statement-gate.js';
import { type PlannedColumn, withoutDecimals } from './result-columns.js';
import { ResultTooLargeError } from './result-too-large-error.js';
import { toColumns } from './safe-integers.js';
import { writeResult } from './write-result.js';

/** A result that has been written, and what the engine told of it. */
export interface StoredResult {
  readonly columns: readonly Column[];
  readonly statistics: CopyStatistics;
  readonly isTruncated: boolean;
}

/**
 * Writes the rows of a statement to the result file: all of them, or with `fitBytes` the first rows, as many as fit.
 *
 * @throws EngineFault, ResultTooLargeError
 */
export async function storeResult(
  connection: Connection,
  statement: GatedStatement,
  planned: readonly PlannedColumn[],
  fitBytes?: number,
): Promise<StoredResult> {
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
  return error instanceof EngineFault && error.type === 'Conversion' && error.message.includes('DECIMAL(38,0)');
}

async function storeAs(
  connection: Connection,
  statement: GatedStatement,
  planned: readonly PlannedColumn[],
  fitBytes: number | undefined,
): Promise<StoredResult> {
  if (fitBytes === undefined) {
    const statistics = await writeResult(connection, statement, planned);
    return { columns: await toColumns(connection, planned, statistics), statistics, isTruncated: false };
  }
  const fitted = await fitResult(fitBytes, (rows) => writeFirst(connection, statement, planned, rows, fitBytes));
  if (!fitted) throw new ResultTooLargeError(`The first row of the result exceeds the limit of ${fitBytes} bytes`);
  const { statistics, isWhole } = fitted;
  return { columns: await toColumns(connection, planned, statistics), statistics, isTruncated: !isWhole };
}

/** So many rows may be far too many: the operating system stops the file from growing, and it counts as this much too large. */
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
    if (!(error instanceof EngineFault && error.isFileTooLarge)) throw error;
    return { rowCount: rows, fileBytes: 16 * fitBytes, of: () => ({ nullCount: 0 }) };
  }
}
