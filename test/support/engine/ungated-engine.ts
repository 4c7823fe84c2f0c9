import { resolve } from 'node:path';
import { ChildEndedError } from '../../../src/processes/pool/child-exit.js';
import { ProcessPool } from '../../../src/processes/pool/process-pool.js';
import { childLimits } from '../../../src/processes/run/child-limits.js';
import type { RunLimits } from '../../../src/processes/run/run.js';
import type { FromUngatedChild, ToUngatedChild } from './ungated-messages.js';

/**
 * How a statement ended without the gate: with rows, stopped by the engine or a limit, or by its
 * time.
 */
export type UngatedEnding = Exclude<FromUngatedChild, { kind: 'ready' }> | { readonly kind: 'timeout' };

/** What is left of the memory of engines that have been closed adds up. */
const MAX_STATEMENTS = 50;

/**
 * Runs statements, one at a time, under all the limits of a run but the statement gate, in a child
 * that is replaced when it dies.
 */
export class UngatedEngine {
  private pool: ProcessPool<ToUngatedChild, FromUngatedChild>;

  constructor(
    private readonly folder: string,
    private readonly limits: RunLimits,
  ) {
    this.pool = this.newPool();
  }

  async run(message: ToUngatedChild, timeoutMs: number): Promise<UngatedEnding> {
    const ask = this.pool.use({}, (child) => child.ask(message, AbortSignal.timeout(timeoutMs)));
    const ending = await ask.catch((error: unknown): UngatedEnding => {
      if (error instanceof ChildEndedError) return { kind: 'stopped', isOutOfMemory: true };
      if (error instanceof DOMException && error.name === 'TimeoutError') return { kind: 'timeout' };
      throw error;
    });
    if (ending.kind === 'ready') throw new Error('The child reported twice that it is ready');
    return ending;
  }

  /** Ends the child, so that the next statement gets another. */
  async renew(): Promise<void> {
    await this.pool.close();
    this.pool = this.newPool();
  }

  private newPool(): ProcessPool<ToUngatedChild, FromUngatedChild> {
    return new ProcessPool({
      script: resolve('dist/test/ungated.child.cjs'),
      folder: this.folder,
      limits: childLimits(this.limits),
      min: 0,
      max: 1,
      maxUse: MAX_STATEMENTS,
      readyTimeoutMs: 20_000,
    });
  }
}
