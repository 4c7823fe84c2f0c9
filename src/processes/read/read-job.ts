import type { CopyStatement, PriorityClass } from './reader-messages.js';
import type { ReadingClient } from './reading-client.js';

/** A read as it is asked for. */
export interface ReadJob {
  readonly priority: PriorityClass;
  readonly client: ReadingClient;
  readonly statement: CopyStatement;
}
