import type { Plan } from '../auth/account.js';
import type { AccountId, ExecutionId } from '../catalog/ids.js';
import type { Execution, Performance } from './execution.js';

/** An execution that waits for slots, with what decides when it starts. */
export interface WaitingExecution {
  readonly executionId: ExecutionId;
  readonly accountId: AccountId;
  /** The plan of the account when the execution was queued. */
  readonly plan: Plan;
  readonly performance: Performance;
}

/** What finds an execution in the queue. */
export type WaitingId = Pick<WaitingExecution, 'executionId' | 'accountId'>;

/** The key of an execution in the queue. */
export function toWaitingId({ id, accountId }: Execution): WaitingId {
  return { executionId: id, accountId };
}

/** The entry of an execution in the queue. */
export function toWaiting(execution: Execution, plan: Plan): WaitingExecution {
  return { ...toWaitingId(execution), plan, performance: execution.performance };
}
