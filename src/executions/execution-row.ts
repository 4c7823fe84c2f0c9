import type { Row } from '../catalog/database.js';
import { fromOptionalInstant } from '../catalog/stored-values.js';
import type { RunFailure } from './engine/engine.js';
import type { Execution, ParameterValues, StoredResult } from './execution.js';

/** An execution in the catalog. */
export type ExecutionRow = Row<'executions'>;

/** The columns of an execution that {@link toListedExecution} reads: all but the text that it runs. */
export const LISTED_COLUMNS = [
  'executions.id',
  'executions.query_id',
  'executions.query_version',
  'executions.account_id',
  'executions.parameters',
  'executions.performance',
  'executions.state',
  'executions.attempt',
  'executions.read_private_table',
  'executions.submitted_at',
  'executions.execution_started_at',
  'executions.execution_ended_at',
  'executions.cancelled_at',
  'executions.expires_at',
  'executions.error',
  'executions.result',
  'executions.result_file',
  'executions.trigger',
  'executions.submitted_by',
] as const;

type ListedRow = Omit<ExecutionRow, 'sql' | 'parameters_key' | 'result_bytes'>;

/** An execution without the text that it runs, which can be long. */
export interface ListedExecution extends Omit<Execution, 'sql'> {
  readonly queryVersion?: number;
}

/** The execution that a row stands for. */
export function toExecution(row: ExecutionRow): Execution {
  const { queryVersion: _, ...execution } = toListedExecution(row);
  return { ...execution, sql: row.sql };
}

/** The execution that the {@link LISTED_COLUMNS} of a row stand for. */
export function toListedExecution(row: ListedRow): ListedExecution {
  return {
    id: row.id,
    queryId: row.query_id ?? undefined,
    queryVersion: row.query_version ?? undefined,
    accountId: row.account_id,
    parameters: JSON.parse(row.parameters) as ParameterValues,
    performance: row.performance,
    state: row.state,
    attempt: row.attempt,
    readPrivateTable: row.read_private_table === 1,
    submittedAt: new Date(row.submitted_at),
    startedAt: fromOptionalInstant(row.execution_started_at),
    endedAt: fromOptionalInstant(row.execution_ended_at),
    cancelledAt: fromOptionalInstant(row.cancelled_at),
    expiresAt: new Date(row.expires_at),
    failure: row.error === null ? undefined : (JSON.parse(row.error) as RunFailure),
    result: toStoredResult(row),
    origin: { trigger: row.trigger, submittedBy: row.submitted_by },
  };
}

/** Equal values have equal keys, whatever the order of their names. */
export function parametersKey(parameters: ParameterValues): string {
  return JSON.stringify(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function toStoredResult({ result, result_file }: ListedRow): StoredResult | undefined {
  if (result === null || result_file === null) return undefined;
  return { ...(JSON.parse(result) as Omit<StoredResult, 'file'>), file: result_file };
}
