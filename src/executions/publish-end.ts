import { publish } from '../telemetry/events.js';
import type { Execution } from './execution.js';
import type { ExecutionState } from './execution-state.js';

/** Reports the end of an execution to metrics and traces, after the change of its row. */
export function publishEnd(
  { id, performance }: Pick<Execution, 'id' | 'performance'>,
  state: ExecutionState,
  errorType?: string,
): void {
  publish('execution-ended', { executionId: id, state, performance, ...(errorType !== undefined && { errorType }) });
}
