import type { ChildTable, RunJob } from '../../../src/processes/run/run-messages.js';

/** A statement for an ungated child. */
export interface ToUngatedChild {
  readonly job: RunJob;
  readonly tables: readonly ChildTable[];
}

/** How it ended: with rows, of which it reports the first, or stopped by the engine. */
export type FromUngatedChild =
  | { readonly kind: 'ready' }
  | { readonly kind: 'passed'; readonly text: string }
  | { readonly kind: 'stopped'; readonly isOutOfMemory: boolean };
