import type { Child, ChildExit } from '../pool/child.js';
import { describeExit } from '../pool/child-not-ready.js';
import { lowerPriority } from '../pool/lower-priority.js';
import { watchMemory } from '../pool/memory-watchdog.js';
import { maxResidentBytes } from './child-budget.js';
import { lossReason } from './loss-reason.js';
import { PhaseClock } from './phase-clock.js';
import { watchResultFile } from './result-file-watcher.js';
import type { RunFailure, RunLimits, TableReference } from './run.js';
import type { FoundTables, FromRunChild, RunOrder, ToRunChild, WrittenResult } from './run-messages.js';
import { TableDataMissingError } from './table-data-missing-error.js';

/** Why the server stops an attempt that could have gone on. */
export type StopReason =
  | { readonly kind: 'cancelled' }
  /** The whole result is too large: what fits has to be written by another attempt. */
  | { readonly kind: 'oversize' }
  | { readonly kind: 'failed'; readonly failure: RunFailure; readonly reason?: string };

/** How an attempt ended. */
export type AttemptEnd =
  | StopReason
  | { readonly kind: 'written'; readonly result: WrittenResult }
  /** The child is gone. It had not begun if it died while it waited, which nobody had noticed yet. */
  | { readonly kind: 'died'; readonly reason: string; readonly hadBegun: boolean };

/** What an attempt needs beside its order. */
export interface AttemptContext {
  readonly limits: RunLimits;
  /** When the first attempt of the run began, by `performance.now()`. */
  readonly startedAt: number;
  readonly resultPath: string;
  readonly findTables: (references: readonly TableReference[]) => Promise<FoundTables>;
  readonly onProgress: (percentage: number) => void;
}

/** An interrupt is lost if the statement has not begun yet, so that it is repeated. */
const INTERRUPT_INTERVAL_MS = 20;

/** How long a child that is told to stop may take before it is killed. */
const TIMEOUT_GRACE_MS = 1500;
const CANCEL_GRACE_MS = 800;

/** After this time a run gives way to others: a long query of one account must not slow down the short ones of another. */
const LONG_RUN_MS = 500;
const LONG_RUN_NICENESS = 15;

/** One run child at work on one order: watched, stopped when it passes a limit, and killed at the end. */
export class RunAttempt {
  /** Settles when the child is gone; with a result already when it has been killed, as that waits for nothing of it. Never rejects. */
  readonly end: Promise<AttemptEnd>;
  #stopReason: StopReason | undefined;
  #isOver = false;
  #hasBegun = false;
  #cleanups: (() => void)[] = [];

  constructor(
    private readonly child: Child<ToRunChild, FromRunChild>,
    private readonly order: RunOrder,
    private readonly context: AttemptContext,
  ) {
    this.end = this.#run();
  }

  cancel(): void {
    this.#interrupt({ kind: 'cancelled' }, CANCEL_GRACE_MS);
  }

  async #run(): Promise<AttemptEnd> {
    const answer = new Promise<AttemptEnd>((resolve) => this.#listen(resolve));
    this.#watch();
    this.child.send({ kind: 'run', order: this.order });
    const end = await Promise.race([answer, this.child.exited]);
    this.#isOver = true;
    for (const cleanup of this.#cleanups) cleanup();
    this.child.kill();
    const stopReason = this.#stopReason ?? (this.#isTooLarge(end) ? { kind: 'oversize' } : undefined);
    // To let go of its memory takes the child a tenth of the time of a short run.
    if (!stopReason && 'kind' in end && end.kind === 'written') return end;
    const exit = await this.child.exited;
    if (stopReason) return stopReason;
    return 'kind' in end ? end : { kind: 'died', reason: describeExit(exit), hadBegun: this.#hasBegun };
  }

  /** Settles when the child is gone. Never rejects. */
  async whenGone(): Promise<void> {
    await this.child.exited;
  }

  /** A file can grow past the limit between two looks at it. */
  #isTooLarge(end: AttemptEnd | ChildExit): boolean {
    return 'kind' in end && end.kind === 'written' && end.result.fileBytes > this.context.limits.maxResultBytes;
  }

  #listen(resolve: (end: AttemptEnd) => void): void {
    const { limits, startedAt } = this.context;
    const expire = (failure: RunFailure) => this.#interrupt({ kind: 'failed', failure }, TIMEOUT_GRACE_MS);
    const clock = new PhaseClock(limits.timeoutMs, expire, startedAt);
    const stopListening = this.child.onMessage((message) => {
      this.#hasBegun = true;
      if (message.kind === 'phase') clock.enter(message.phase);
      if (message.kind === 'progress') this.context.onProgress(message.percentage);
      if (message.kind === 'tables') void this.#answerTables(message.references, resolve);
      if (message.kind === 'written' || message.kind === 'failed') resolve(message);
    });
    this.#cleanups.push(stopListening, () => clock.stop());
  }

  async #answerTables(references: readonly TableReference[], resolve: (end: AttemptEnd) => void): Promise<void> {
    try {
      this.child.send({ kind: 'tables', ...(await this.context.findTables(references)) });
    } catch (error) {
      if (error instanceof TableDataMissingError)
        return resolve({ kind: 'failed', failure: error.failure, reason: error.message });
      resolve({ kind: 'died', reason: `The tables could not be found: ${lossReason(error)}`, hadBegun: true });
    }
  }

  #watch(): void {
    const { limits, resultPath } = this.context;
    const longRun = setTimeout(() => lowerPriority(this.child.pid ?? 0, LONG_RUN_NICENESS), LONG_RUN_MS);
    this.#cleanups.push(() => clearTimeout(longRun));
    const maxBytes = maxResidentBytes(limits);
    const message = `The run used more memory than its limit of ${Math.round(maxBytes / 2 ** 20)} MB`;
    const failure: RunFailure = { type: 'FAILED_TYPE_OUT_OF_MEMORY', message };
    this.#cleanups.push(watchMemory(this.child.pid ?? 0, maxBytes, () => this.#kill({ kind: 'failed', failure })));
    if (this.order.fitBytes !== undefined) return;
    this.#cleanups.push(watchResultFile(resultPath, limits.maxResultBytes, () => this.#kill({ kind: 'oversize' })));
  }

  #interrupt(reason: StopReason, graceMs: number): void {
    if (this.#stopReason || this.#isOver) return;
    this.#stopReason = reason;
    const interrupt = () => this.child.send({ kind: 'interrupt' });
    interrupt();
    const repeat = setInterval(interrupt, INTERRUPT_INTERVAL_MS);
    const giveUp = setTimeout(() => this.child.kill(), graceMs);
    this.#cleanups.push(() => {
      clearInterval(repeat);
      clearTimeout(giveUp);
    });
  }

  #kill(reason: StopReason): void {
    if (this.#isOver) return;
    this.#stopReason ??= reason;
    this.child.kill();
  }
}
