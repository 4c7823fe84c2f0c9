import type { FailureType } from '../processes/run/run.js';
import type { Replacement } from '../queries/replacement.js';
import type { TextSpan } from '../queries/text-span.js';
import type { Column } from '../types/column.js';
import { type ExecutionState, hasResult } from './execution-state.js';
import type { Origin } from './origin.js';

/** The resource class of an execution: a `large` one may take the memory of two slots, and run longer. */
export type Performance = 'medium' | 'large';

/** Values of a saved query's parameters, by name. */
export type ParameterValues = Readonly<Record<string, string>>;

/** What the result store keeps of one execution. The file is immutable: every page of the execution is read from it. */
export interface StoredResult {
  /** Name of the blob. */
  readonly file: string;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  readonly fileBytes: number;
  /** Logical size of all rows (`interface.md`, section 3). */
  readonly logicalBytes: number;
  /** Logical size of the largest row. */
  readonly maxRowBytes: number;
}

/** Why an execution failed. */
export interface ExecutionFailure {
  readonly type: FailureType;
  readonly message: string;
  /** In the text as it was saved, before values of parameters were put in; for SQL sent directly, as it was sent. */
  readonly position?: TextSpan;
}

/** One run of a saved query, or of SQL sent directly. */
export interface Execution {
  /** ULID. */
  readonly id: string;
  /** Absent for SQL sent directly. */
  readonly queryId?: number;
  /** The context that runs it. */
  readonly accountId: string;
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

/** The execution as it stands at an instant: a result past its retention is gone, whether or not its file was swept already. */
export function asOf<T extends Pick<Execution, 'state' | 'expiresAt' | 'result'>>(execution: T, now: Date): T {
  if (!hasResult(execution.state) || execution.expiresAt > now) return execution;
  return { ...execution, state: 'EXPIRED', result: undefined };
}
