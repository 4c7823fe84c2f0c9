import { formatSize } from '../../config/units.js';
import { publish } from '../../telemetry/events.js';
import type { Child } from '../pool/child.js';
import { type ChildExit, describeExit } from '../pool/child-exit.js';
import { interruptUntilSettled } from '../pool/interrupt-until-settled.js';
import { lowerPriority } from '../pool/lower-priority.js';
import { maxResidentBytes } from './child-limits.js';
import { describeWithoutValues } from './describe-without-values.js';
import { PhaseClock } from './phase-clock.js';
import { watchResultFile } from './result-file-watcher.js';
import type { RunFailure, RunLimits, RunResult, TableReference } from './run.js';
import type { FoundTables, FromRunChild, RunJob, RunPhase, ToRunChild } from './run-messages.js';
import { TableDataMissingError } from './table-data-missing-error.js';

type RunEndMessage = Extract<FromRunChild, { kind: 'written' | 'failed' }>;

/** Why the server stops an attempt that could have gone on. */
export type StopReason =
  | { readonly kind: 'cancelled' }
  /** The whole result is too large: another attempt writes as many rows as fit. */
  | { readonly kind: 'oversize' }
  | { readonly kind: 'failed'; readonly failure: RunFailure; readonly reason?: string };

/** How an attempt ended. */
export type AttemptEnd =
  | StopReason
  | { readonly kind: 'written'; readonly result: RunResult }
  /** The child is gone. If it died while it was idle, it had not begun. */
  | { readonly kind: 'died'; readonly reason: string; readonly hadBegun: boolean };

/** What an attempt needs beside its job. */
export interface AttemptContext {
  readonly executionId: string;
  readonly limits: RunLimits;
  /** When the first attempt of the run began, by `performance.now()`. */
  readonly startedAt: number;
  readonly resultPath: string;
  readonly findTables: (references: readonly TableReference[]) => Promise<FoundTables>;
  readonly onProgress: (percentage: number) => void;
}

/** How long a child that is interrupted may take before it is killed. */
const TIMEOUT_GRACE_MS = 1500;
const CANCEL_GRACE_MS = 800;

/**
 * After this time a run gets a low priority, so that it does not slow down short runs of others.
 */
const LONG_RUN_MS = 500;
const LONG_RUN_NICENESS = 15;

/** A run child at work on one job: watched, and stopped when it exceeds a limit. */
export class RunAttempt {
  /** Settles when the child has reported the end, or is gone. Never rejects. */
  readonly end: Promise<AttemptEnd>;
  #stopReason: StopReason | undefined;
  #isOver = false;
  #hasBegun = false;
  #isReusable = false;
  #hasLowPriority = false;
  #stopWatching: (() => void)[] = [];

  constructor(
    private readonly child: Child<ToRunChild, FromRunChild>,
    private readonly job: RunJob,
    private readonly context: AttemptContext,
  ) {
    this.end = this.#run();
  }

  /**
   * Whether the child can take another statement of the same author, once the attempt has ended: it
   * has reported so, nothing stopped it, and its priority is what it was.
   */
  get isChildReusable(): boolean {
    return this.#isReusable && !this.#stopReason;
  }

  cancel(): void {
    this.#interrupt({ kind: 'cancelled' }, CANCEL_GRACE_MS);
  }

  async #run(): Promise<AttemptEnd> {
    const answer = new Promise<AttemptEnd>((resolve) => this.#listen(resolve));
    this.#watch();
    this.child.send({ kind: 'run', job: this.job });
    const end = await Promise.race([answer, this.child.exited]);
    this.#isOver = true;
    for (const stop of this.#stopWatching) stop();
    if (this.#stopReason) return this.#stopReason;
    if (this.#isTooLarge(end)) return { kind: 'oversize' };
    return 'kind' in end ? end : this.#toEnd(end);
  }

  #toEnd(exit: ChildExit): AttemptEnd {
    if (!exit.isOverMemory) return { kind: 'died', reason: describeExit(exit), hadBegun: this.#hasBegun };
    const message = `The run used more memory than its limit of ${formatSize(maxResidentBytes(this.context.limits))}`;
    return { kind: 'failed', failure: { type: 'FAILED_TYPE_OUT_OF_MEMORY', message } };
  }

  /** A file can grow past the limit between two checks of its size. */
  #isTooLarge(end: AttemptEnd | ChildExit): boolean {
    return 'kind' in end && end.kind === 'written' && end.result.fileBytes > this.context.limits.maxResultBytes;
  }

  #listen(resolve: (end: AttemptEnd) => void): void {
    const { limits, startedAt } = this.context;
    const expire = (failure: RunFailure) => this.#interrupt({ kind: 'failed', failure }, TIMEOUT_GRACE_MS);
    const clock = new PhaseClock(limits.timeoutMs, expire, startedAt);
    publish('run-phase', { executionId: this.context.executionId, phase: 'parse' });
    const stopListening = this.child.onMessage((message) => {
      this.#hasBegun = true;
      if (message.kind === 'phase') this.#enter(message.phase, clock);
      if (message.kind === 'progress') this.context.onProgress(message.percentage);
      if (message.kind === 'tables') void this.#answerTables(message.references, resolve);
      if (message.kind === 'written' || message.kind === 'failed') resolve(this.#endOf(message));
    });
    this.#stopWatching.push(stopListening, () => clock.stop());
  }

  #endOf({ isReusable, ...end }: RunEndMessage): AttemptEnd {
    this.#isReusable = isReusable && !this.#hasLowPriority && !this.#isTooLarge(end);
    return end;
  }

  #enter(phase: RunPhase, clock: PhaseClock): void {
    clock.enter(phase);
    publish('run-phase', { executionId: this.context.executionId, phase });
  }

  async #answerTables(references: readonly TableReference[], resolve: (end: AttemptEnd) => void): Promise<void> {
    try {
      this.child.send({ kind: 'tables', ...(await this.context.findTables(references)) });
    } catch (error) {
      if (error instanceof TableDataMissingError)
        return resolve({ kind: 'failed', failure: error.failure, reason: error.message });
      resolve({
        kind: 'died',
        reason: `The tables could not be found: ${describeWithoutValues(error)}`,
        hadBegun: true,
      });
    }
  }

  #watch(): void {
    const { limits, resultPath } = this.context;
    const longRun = setTimeout(() => {
      this.#hasLowPriority = true;
      lowerPriority(this.child.pid ?? 0, LONG_RUN_NICENESS);
    }, LONG_RUN_MS);
    this.#stopWatching.push(() => clearTimeout(longRun));
    if (this.job.fitBytes !== undefined) return;
    const stopWithOversize = () => {
      this.#stopReason ??= { kind: 'oversize' };
      this.child.kill();
    };
    this.#stopWatching.push(watchResultFile(resultPath, limits.maxResultBytes, stopWithOversize));
  }

  #interrupt(reason: StopReason, graceMs: number): void {
    if (this.#stopReason || this.#isOver) return;
    this.#stopReason = reason;
    const lastResort = { afterMs: graceMs, kill: () => this.child.kill() };
    void interruptUntilSettled(this.end, () => this.child.send({ kind: 'interrupt' }), lastResort);
  }
}
