import { OptionalInt } from '../http/validation.js';

/** Most seconds that a call waits for an execution. */
const MAX_WAIT_SECONDS = 60;

/** `wait_seconds` of the calls that can wait for an execution to end. */
export function OptionalWait(): PropertyDecorator {
  return OptionalInt({
    min: 0,
    max: MAX_WAIT_SECONDS,
    description: 'Answers once the execution has ended, or after this many seconds.',
  });
}
