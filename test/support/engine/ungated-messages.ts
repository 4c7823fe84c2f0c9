import type { LinkedTable, RunOrder } from '../../../src/processes/run/run-messages.js';

/** A statement for an ungated child. */
export interface ToUngatedChild {
  readonly order: RunOrder;
  readonly tables: readonly LinkedTable[];
}

/** How it ended: with rows, of which the first are told, or stopped by the engine. */
export type FromUngatedChild =
  | { readonly kind: 'ready' }
  | { readonly kind: 'passed'; readonly text: string }
  | { readonly kind: 'stopped' };
