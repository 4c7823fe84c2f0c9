/**
 * Where an execution stands (`interface.md`, section 3). On the wire each has the prefix `QUERY_STATE_`.
 *
 * | From | To |
 * |---|---|
 * | PENDING | EXECUTING, CANCELLED, FAILED |
 * | EXECUTING | COMPLETED, COMPLETED_PARTIAL, FAILED, CANCELLED, PENDING (another attempt) |
 * | COMPLETED, COMPLETED_PARTIAL | EXPIRED |
 */
export type ExecutionState =
  | 'PENDING'
  | 'EXECUTING'
  | 'COMPLETED'
  | 'COMPLETED_PARTIAL'
  | 'FAILED'
  | 'CANCELLED'
  | 'EXPIRED';

const NEXT: Readonly<Record<ExecutionState, readonly ExecutionState[]>> = {
  PENDING: ['EXECUTING', 'CANCELLED', 'FAILED'],
  EXECUTING: ['COMPLETED', 'COMPLETED_PARTIAL', 'FAILED', 'CANCELLED', 'PENDING'],
  COMPLETED: ['EXPIRED'],
  COMPLETED_PARTIAL: ['EXPIRED'],
  FAILED: [],
  CANCELLED: [],
  EXPIRED: [],
};

/** Whether the table above has a way from one state to the other. */
export function isTransition(from: ExecutionState, to: ExecutionState): boolean {
  return NEXT[from].includes(to);
}

/** Whether the run is over, however it ended. */
export function isFinished(state: ExecutionState): boolean {
  return state !== 'PENDING' && state !== 'EXECUTING';
}

/** Whether there is a stored result to read. */
export function hasResult(state: ExecutionState): boolean {
  return state === 'COMPLETED' || state === 'COMPLETED_PARTIAL';
}

/** The state's name on the wire. */
export function toWireState(state: ExecutionState): string {
  return `QUERY_STATE_${state}`;
}
