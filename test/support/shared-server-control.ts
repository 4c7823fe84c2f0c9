import type { Plan } from '../../src/auth/account.js';
import type { Scope } from '../../src/auth/scope.js';

/** Where a shared server writes its addresses once it listens, beside its data folder. */
export const CONTROL_FILE = 'control.json';

/** What the file holds. */
export interface ControlFile {
  readonly pid: number;
  /** Of the service. */
  readonly url: string;
  /** Of what tests may ask beside it, {@link ControlCalls}. */
  readonly controlUrl: string;
}

/** What work leaves behind if it does not end as it should. */
export interface Remains {
  /** Kinds of children beyond those that a service keeps. */
  readonly processes: readonly string[];
  readonly files: readonly string[];
  /** Ids of executions that have not ended. */
  readonly executions: readonly string[];
}

/** The calls, each with its parameters and what it returns. */
export interface ControlCalls {
  /** Makes the service one that has just been set up; returns the key of its account `demo`. */
  reset: { takes: object; gives: string };
  /** Makes a key, and its account unless there is one of this handle. */
  key: { takes: { handle: string; plan: Plan; scope: Scope }; gives: string };
  /** Waits until executions have begun or ended more often than `after`; returns how often. */
  changes: { takes: { after: number }; gives: number };
  /** Waits a while until nothing is left; returns what is. */
  remains: { takes: object; gives: Remains };
}
