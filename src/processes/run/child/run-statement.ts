import type { Connection } from '../../../duckdb/connection/connection.js';
import type { TableReference } from '../run.js';
import {
  type FoundTables,
  findMissing,
  type LinkedTable,
  type RunOrder,
  type RunPhase,
  type WrittenResult,
} from '../run-messages.js';
import { embedBody } from './embed-body.js';
import { EngineFault } from './engine-fault.js';
import { RefusedStatementError } from './gate/refused-statement-error.js';
import { type GatedStatement, gateStatement } from './gate/statement-gate.js';
import { type LocatedReference, unknownTable } from './gate/table-references.js';
import { LinkedTexts } from './linked-texts.js';
import { measureResult } from './measure-result.js';
import { refuseNulInNames } from './refuse-nul-in-names.js';
import { type PlannedColumn, planColumns } from './result-columns.js';
import { ResultTooLargeError } from './result-too-large-error.js';
import { lockSandbox } from './sandbox.js';
import { storeResult } from './store-result.js';

/** Most columns of a result: the engine needs memory for each. */
const MAX_COLUMNS = 2000;

/** What a run needs from the server while it is under way. */
export interface RunContext {
  enter(phase: RunPhase): void;
  /** Which of these tables exist for the account that runs the statement. */
  findTables(references: readonly TableReference[]): Promise<FoundTables>;
}

/**
 * Runs one statement from its text to its result file. The working directory must be the run folder, and the database one
 * that nothing else has used.
 *
 * @throws RefusedStatementError, EngineFault, ResultTooLargeError
 */
export async function runStatement(
  connection: Connection,
  order: RunOrder,
  context: RunContext,
): Promise<WrittenResult> {
  context.enter('parse');
  const statement = await gateStatement(connection, order.sql, order.parameters);
  const found = await findTables(statement.tables, context);
  const texts = await LinkedTexts.prepare(found, order.maxSpillBytes);
  return texts.readUnchanged(async () => {
    await lockSandbox(connection, order, texts.tables);
    context.enter('bind');
    const planned = await bindColumns(connection, statement);
    context.enter('execute');
    const { columns, statistics, isTruncated } = await storeResult(connection, statement, planned, order.fitBytes);
    const size = await measureResult(connection, columns, statistics);
    return { columns, rowCount: statistics.rowCount, fileBytes: statistics.fileBytes, ...size, isTruncated };
  });
}

async function findTables(
  references: readonly LocatedReference[],
  context: RunContext,
): Promise<readonly LinkedTable[]> {
  if (references.length === 0) return [];
  context.enter('resolve');
  const { tables, nearNames } = await context.findTables(
    references.map(({ namespace, name }) => ({ namespace, name })),
  );
  const missing = findMissing(references, tables);
  if (!missing) return tables;
  const { namespace, name, byteOffset } = missing;
  throw unknownTable(namespace === undefined ? name : `${namespace}.${name}`, byteOffset, nearNames);
}

/** Binding, and nothing else, tells the names and types of the columns. Much of the engine's work is done here already. */
async function bindColumns(connection: Connection, statement: GatedStatement): Promise<PlannedColumn[]> {
  const query = { before: 'SELECT * FROM ', statement, after: 'AS __q LIMIT 0' };
  const columns = await embedBody(query, (bind) => connection.describe(bind)).catch(explainUnknownType);
  if (columns.length > MAX_COLUMNS) {
    throw new ResultTooLargeError(`The result has ${columns.length} columns; the limit is ${MAX_COLUMNS}`);
  }
  await refuseNulInNames(connection, statement);
  return planColumns(columns);
}

/** The engine's API has no name for a few internal types, such as that of a type itself. */
function explainUnknownType(error: unknown): never {
  if (!(error instanceof EngineFault && error.isBug)) throw error;
  throw new RefusedStatementError(
    'A column of the result has a type that cannot be stored: cast it, for instance to VARCHAR',
  );
}
