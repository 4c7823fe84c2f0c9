import type { Row } from '../catalog/database.js';
import { fromOptionalInstant } from '../catalog/stored-values.js';
import type { Replacement } from '../queries/replacement.js';
import type { Execution, ExecutionFailure, ParameterValues, StoredResult } from './execution.js';

/** An execution in the catalog. */
export type ExecutionRow = Row<'executions'>;

/** The columns that {@link toListedExecution} reads: all except the text that is run. */
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

type ListedRow = Omit<ExecutionRow, 'sql' | 'replacements' | 'parameters_key' | 'result_bytes'>;

/** An execution without the text that it runs, which can be long. */
export interface ListedExecution extends Omit<Execution, 'sql' | 'replacements'> {
  readonly queryVersion?: number;
}

/** The execution of a row. */
export function toExecution(row: ExecutionRow): Execution {
  const { queryVersion: _, ...execution } = toListedExecution(row);
  const replacements = row.replacements === null ? [] : (JSON.parse(row.replacements) as Replacement[]);
  return { ...execution, sql: row.sql, replacements };
}

/** The execution of the {@link LISTED_COLUMNS} of a row. */
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
    failure: row.error === null ? undefined : toFailure(JSON.parse(row.error) as ExecutionFailure),
    result: toStoredResult(row),
    origin: { trigger: row.trigger, submittedBy: row.submitted_by },
  };
}

/** Equal values have equal keys, whatever the order of their names. */
export function parametersKey(parameters: ParameterValues): string {
  return JSON.stringify(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Positions in rows of older versions lack an offset, and are not in the saved text. */
function toFailure({ position, ...failure }: ExecutionFailure): ExecutionFailure {
  return position?.offset === undefined ? failure : { ...failure, position };
}

function toStoredResult({ result, result_file }: ListedRow): StoredResult | undefined {
  if (result === null || result_file === null) return undefined;
  return { ...(JSON.parse(result) as Omit<StoredResult, 'file'>), file: result_file };
}
