/** Where an execution stands, and where it can go from there (`docs/contract.md`, "States"). */
interface NextStates {
  PENDING: 'EXECUTING' | 'CANCELLED' | 'FAILED';
  EXECUTING: 'COMPLETED' | 'COMPLETED_PARTIAL' | 'FAILED' | 'CANCELLED' | 'PENDING';
  COMPLETED: 'EXPIRED';
  COMPLETED_PARTIAL: 'EXPIRED';
  FAILED: never;
  CANCELLED: never;
  EXPIRED: never;
}

/** The states of an execution. On the wire each has the prefix `QUERY_STATE_`. */
export type ExecutionState = keyof NextStates;

/** Every state. */
export const EXECUTION_STATES = [
  'PENDING',
  'EXECUTING',
  'COMPLETED',
  'COMPLETED_PARTIAL',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
] as const satisfies readonly ExecutionState[];

/** A change of state that an execution can go through; any other does not compile. */
export type Transition = { [From in ExecutionState]: { from: From; to: NextStates[From] } }[ExecutionState];

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
