import type { Column } from '../duckdb/column.js';
import type { RunFailure } from './engine/engine.js';
import { type ExecutionState, hasResult } from './execution-state.js';
import type { Origin } from './origin.js';

/** What an execution may use: `large` takes the memory of two. */
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
  readonly failure?: RunFailure;
  /** Present while the result is stored. */
  readonly result?: StoredResult;
  readonly origin: Origin;
}

/** The execution as it stands at an instant: a result past its retention is gone, whether or not its file was swept already. */
export function asOf<T extends Pick<Execution, 'state' | 'expiresAt' | 'result'>>(execution: T, now: Date): T {
  if (!hasResult(execution.state) || execution.expiresAt > now) return execution;
  return { ...execution, state: 'EXPIRED', result: undefined };
}
