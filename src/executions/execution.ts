import type { AccountId, ExecutionId, QueryId } from '../catalog/ids.js';
import type { FailureType, RunResult } from '../processes/run/run.js';
import type { Replacement } from '../queries/replacement.js';
import type { TextSpan } from '../queries/text-span.js';
import { type ExecutionState, hasResult } from './execution-state.js';
import type { Origin } from './origin.js';

/** The resource class of an execution: a `large` one has the memory of two slots, and more time. */
export type Performance = 'medium' | 'large';

/** Values of a saved query's parameters, by name. */
export type ParameterValues = Readonly<Record<string, string>>;

/**
 * What the result store keeps of one execution. The file is immutable: every page of the execution
 * is read from it. Whether it was truncated is a state of the execution.
 */
export interface StoredResult extends Omit<RunResult, 'isTruncated'> {
  /** Name of the blob. */
  readonly file: string;
}

/** Why an execution failed. */
export interface ExecutionFailure {
  readonly type: FailureType;
  readonly message: string;
  /** In the text as it was saved or sent, before values replaced its parameters. */
  readonly position?: TextSpan;
}

/** One run of a saved query, or of SQL sent directly. */
export interface Execution {
  readonly id: ExecutionId;
  /** Absent for SQL sent directly. */
  readonly queryId?: QueryId;
  /** The context that runs it. */
  readonly accountId: AccountId;
  /** The text that is run, parameters put in. */
  readonly sql: string;
  readonly parameters: ParameterValues;
  /** Where the values of parameters stand in `sql`. */
  readonly replacements: readonly Replacement[];
  readonly performance: Performance;
  readonly state: ExecutionState;
  /** How often a process has begun it. */
  readonly attempt: number;
  readonly readPrivateTable: boolean;
  readonly submittedAt: Date;
  readonly startedAt?: Date;
  readonly endedAt?: Date;
  readonly cancelledAt?: Date;
  readonly expiresAt: Date;
  readonly failure?: ExecutionFailure;
  /** Present while the result is stored. */
  readonly result?: StoredResult;
  readonly origin: Origin;
}

const DAY_MS = 86_400_000;

/** When a result that was stored at an instant expires. */
export function expiryOf(storedAt: Date, retentionDays: number): Date {
  return new Date(storedAt.getTime() + retentionDays * DAY_MS);
}

/** An execution, with the state that only the process that runs it has. */
export interface ExecutionStatus {
  readonly execution: Execution;
  /** From 1, while it waits. */
  readonly queuePosition?: number;
  /** While it runs, if the engine reports it. */
  readonly progressPercentage?: number;
}

/**
 * The execution as it stands at an instant: a result past its retention is gone, whether or not its
 * file was swept already.
 */
export function asOf<T extends Pick<Execution, 'state' | 'expiresAt' | 'result'>>(execution: T, now: Date): T {
  if (!hasResult(execution.state) || execution.expiresAt > now) return execution;
  return { ...execution, state: 'EXPIRED', result: undefined };
}
