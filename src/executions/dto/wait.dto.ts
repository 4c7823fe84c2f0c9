import { OptionalWait } from '../optional-wait.decorator.js';

/** Query string of the calls that can wait for an execution to end. */
export class WaitDto {
  @OptionalWait()
  wait_seconds?: number;
}
