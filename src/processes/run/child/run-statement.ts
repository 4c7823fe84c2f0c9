import type { Connection } from '../../../duckdb/connection/connection.js';
import type { RunResult, TableReference } from '../run.js';
import { type ChildTable, type FoundTables, findMissing, type RunJob, type RunPhase } from '../run-messages.js';
import { embedBody } from './embed-body.js';
import { type GatedStatement, gateStatement } from './gate/statement-gate.js';
import { type LocatedReference, unknownTable } from './gate/table-references.js';
import { LinkedTexts } from './linked-texts.js';
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
 * Runs one statement from its text to its result file. The working directory must be the run
 * folder, and the database a new one.
 *
 * @throws RefusedStatementError, StatementError, ResultTooLargeError
 */
export async function runStatement(connection: Connection, job: RunJob, context: RunContext): Promise<RunResult> {
  context.enter('parse');
  const statement = await gateStatement(connection, job.sql, job.parameters);
  const found = await findTables(statement.tables, context);
  const texts = await LinkedTexts.prepare(found, job.maxSpillBytes);
  return texts.readUnchanged(async () => {
    await lockSandbox(connection, job, texts.tables);
    context.enter('bind');
    const planned = await bindColumns(connection, statement);
    context.enter('execute');
    return await storeResult(connection, statement, planned, job.fitBytes);
  });
}

async function findTables(
  references: readonly LocatedReference[],
  context: RunContext,
): Promise<readonly ChildTable[]> {
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

/** Finds the names and types of the columns. Much of the work of the engine is done after it. */
async function bindColumns(connection: Connection, statement: GatedStatement): Promise<PlannedColumn[]> {
  const query = { before: 'SELECT * FROM ', statement, after: 'AS __q LIMIT 0' };
  const columns = await embedBody(query, (bind) => connection.describe(bind));
  if (columns.length > MAX_COLUMNS) {
    throw new ResultTooLargeError(`The result has ${columns.length} columns; the limit is ${MAX_COLUMNS}`);
  }
  await refuseNulInNames(connection, statement);
  return planColumns(columns);
}
