import type { RunFailure } from '../processes/run/run.js';
import { toSavedSpan } from '../queries/replacement.js';
import type { Execution, ExecutionFailure } from './execution.js';

/** The failure of an execution, with its place in the saved text instead of that which was run. */
export function toExecutionFailure(
  { sql, replacements }: Execution,
  { offset, ...failure }: RunFailure,
): ExecutionFailure {
  return offset === undefined ? failure : { ...failure, position: toSavedSpan(sql, offset, replacements) };
}
