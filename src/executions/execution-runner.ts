import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { ExecutionId } from '../catalog/ids.js';
import { isUnavailable } from '../catalog/sqlite/sqlite-file.js';
import { Clock } from '../config/clock.js';
import { Config } from '../config/config.js';
import { failpoint } from '../config/failpoint.js';
import { type EngineRun, type RunFailure, type RunOutcome } from '../processes/run/run.js';
import { QueriesService } from '../queries/queries.service.js';
import { ResultStore } from '../storage/storage.module.js';
import { publish } from '../telemetry/events.js';
import { TablesService } from '../uploads/tables.service.js';
import { CatalogWrites } from './catalog-writes.js';
import { Engine } from './engine.js';
import { type Execution, expiryOf } from './execution.js';
import { ExecutionEvents } from './execution-events.js';
import { ExecutionQueue } from './execution-queue.js';
import { ExecutionsRepository } from './executions.repository.js';
import { publishEnd } from './publish-end.js';
import { ResultQuota } from './result-quota.js';
import { toExecutionFailure } from './to-execution-failure.js';
import type { WaitingExecution, WaitingId } from './waiting-execution.js';
import { type Pool, WorkerSlots } from './worker-slots.js';

type CompletedRun = Extract<RunOutcome, { kind: 'completed' }>;

/**
 * Runs the queue in the slots of the workers. Every change of the queue and of the slots schedules.
 * The compare-and-set of the catalog decides every race: an execution that was cancelled while its
 * result was being committed stays cancelled, and its file is deleted.
 */
@Injectable()
export class ExecutionRunner {
  private readonly logger = new Logger(ExecutionRunner.name);
  private readonly running = new Map<ExecutionId, EngineRun>();
  private readonly ending = new Set<Promise<void>>();
  private readonly writes = new CatalogWrites((error, pauseMs) =>
    this.logger.warn({ err: error, pause_ms: pauseMs }, 'The catalog cannot be written now; trying again'),
  );
  private readonly slots: WorkerSlots;
  private isStarted = false;
  private isStopping = false;
  private isRequeuing = false;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly engine: Engine,
    private readonly queue: ExecutionQueue,
    private readonly executions: ExecutionsRepository,
    private readonly quota: ResultQuota,
    private readonly queries: QueriesService,
    private readonly tables: TablesService,
    private readonly results: ResultStore,
    private readonly events: ExecutionEvents,
  ) {
    this.slots = new WorkerSlots(config);
  }

  /** Starts to run the queue; called once, after recovery. */
  start(): void {
    this.isStarted = true;
    this.schedule();
  }

  /** Adds an execution whose row is in the catalog to the queue. */
  enqueue(waiting: WaitingExecution): void {
    this.queue.add(waiting);
    this.schedule();
  }

  /** Stops an execution that waits or runs; its row must be CANCELLED. */
  cancel(id: WaitingId): void {
    this.queue.remove(id);
    this.running.get(id.executionId)?.cancel();
    this.schedule();
  }

  /** Starts what can start now. */
  private schedule(): void {
    while (this.isStarted && !this.isStopping) {
      const next = this.queue.takeNext(this.slots);
      if (!next) return;
      this.runIn(next.pool, next.waiting);
    }
  }

  private runIn(pool: Pool, waiting: WaitingExecution): void {
    const release = this.slots.acquire(waiting, pool);
    const ended = this.run(waiting)
      .catch((error: unknown) =>
        this.logger.error({ err: error, execution: waiting.executionId }, 'An execution could not be run'),
      )
      .finally(() => {
        release();
        this.ending.delete(ended);
        this.schedule();
      });
    this.ending.add(ended);
  }

  /** Above 0, up to 100, while the execution runs and its engine reports it. */
  progressPercentage(executionId: ExecutionId): number | undefined {
    return this.running.get(executionId)?.progressPercentage();
  }

  /** How many slots are used, of how many. */
  countSlots(): { used: number; total: number } {
    return this.slots.count();
  }

  /** How many executions run. */
  countRunning(): number {
    return this.running.size;
  }

  /** Starts nothing more; after `graceMs`, requeues what still runs for the next start. */
  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    const grace = new AbortController();
    await Promise.race([this.whenIdle(), setTimeout(graceMs, undefined, grace).catch(() => {})]);
    grace.abort();
    this.isRequeuing = true;
    this.writes.stop();
    await Promise.all([...this.running].map(([id, run]) => this.requeueRunning(id, run)));
    await this.whenIdle();
  }

  private async whenIdle(): Promise<void> {
    while (this.ending.size > 0) await Promise.all(this.ending);
  }

  /** A stop does not count towards `MAX_ATTEMPTS`. The next start requeues what this one cannot. */
  private async requeueRunning(executionId: ExecutionId, run: EngineRun): Promise<void> {
    await this.executions
      .requeue(executionId)
      .catch((error: unknown) =>
        this.logger.error({ err: error, execution: executionId }, 'An execution could not be requeued'),
      );
    await failpoint('execution-requeued');
    run.cancel();
  }

  private async run(waiting: WaitingExecution): Promise<void> {
    const execution = await this.begin(waiting);
    if (!execution) return;
    try {
      await failpoint('execution-begun');
      await this.runBegun(execution, waiting);
    } catch (error) {
      // An execution that is not running must not stay EXECUTING, whatever happened.
      await this.afterLost(execution, waiting, 'an error of the service');
      this.events.emitChanged(execution.id);
      throw error;
    }
  }

  /** Returns nothing if the execution no longer waits, or cannot begin now and was requeued. */
  private async begin(waiting: WaitingExecution): Promise<Execution | undefined> {
    const { executionId } = waiting;
    try {
      const found = await this.executions.find(executionId);
      if (!found) return undefined;
      // Its last beginning was committed, and reported as an error.
      if (found.state === 'EXECUTING') await this.executions.requeue(executionId);
      if (await this.failIfStorageFull(found)) return undefined;
      const attempt = found.attempt + 1;
      const hasBegun = await this.executions.begin(executionId, attempt, this.clock.now());
      if (!hasBegun) return undefined;
      const waitedMs = this.clock.now().getTime() - found.submittedAt.getTime();
      publish('execution-begun', { executionId, plan: waiting.plan, waitedMs });
      return { ...found, state: 'EXECUTING', attempt };
    } catch (error) {
      await this.afterFailedBegin(waiting, error);
      return undefined;
    }
  }

  /** The account's results can have reached its plan since the execution was submitted. */
  private async failIfStorageFull(execution: Execution): Promise<boolean> {
    const { id, accountId } = execution;
    const excess = this.quota.findExcess(await this.executions.getStorage(accountId));
    if (!excess) return false;
    const failure = { type: 'FAILED_TYPE_RESULT_TOO_LARGE', message: excess.message } as const;
    if (await this.executions.fail(id, 'PENDING', failure, this.clock.now()))
      publishEnd(execution, 'FAILED', failure.type);
    this.events.emitChanged(id);
    return true;
  }

  private async afterFailedBegin(waiting: WaitingExecution, error: unknown): Promise<void> {
    const { executionId } = waiting;
    if (isUnavailable(error)) {
      this.queue.requeue(waiting);
      this.events.emitChanged(executionId);
      return this.writes.pauseAfter(error);
    }
    this.logger.error({ err: error, execution: executionId }, 'An execution could not begin');
    const failure = { type: 'FAILED_TYPE_INTERNAL', message: 'The service could not begin to run this query' } as const;
    const failFrom = (state: 'PENDING' | 'EXECUTING') =>
      this.executions.fail(executionId, state, failure, this.clock.now());
    // The beginning can have been committed before its error.
    const hasFailed = await this.writes.write(async () => (await failFrom('PENDING')) || (await failFrom('EXECUTING')));
    if (hasFailed) publishEnd({ id: executionId, performance: waiting.performance }, 'FAILED', failure.type);
    this.events.emitChanged(executionId);
  }

  private async runBegun(execution: Execution, waiting: WaitingExecution): Promise<void> {
    const run = this.engine.start({
      executionId: execution.id,
      sql: execution.sql,
      resourceClass: execution.performance,
      authorId: await this.queries.findAuthor(execution),
      resolveTables: (references) => this.tables.findForRun(references, execution.accountId),
      findNearNames: (missing) => this.tables.findNearNames(missing, execution.accountId),
    });
    this.running.set(execution.id, run);
    this.events.emitChanged(execution.id);
    try {
      if (this.isRequeuing) await this.requeueRunning(execution.id, run);
      await this.cancelIfMoved(execution, run);
      const outcome = await run.outcome;
      await failpoint('run-ended');
      await this.settle(execution, waiting, outcome);
    } finally {
      this.running.delete(execution.id);
      run.cancel();
      await run.dispose();
    }
  }

  /** A cancel between the change of the row and the start of the run found nothing to stop. */
  private async cancelIfMoved({ id }: Execution, run: EngineRun): Promise<void> {
    const current = await this.executions.find(id);
    if (current?.state !== 'EXECUTING') run.cancel();
  }

  private async settle(execution: Execution, waiting: WaitingExecution, outcome: RunOutcome): Promise<void> {
    switch (outcome.kind) {
      case 'completed':
        await this.commit(execution, outcome);
        break;
      case 'failed':
        if (outcome.reason !== undefined)
          this.logger.error({ execution: execution.id, reason: outcome.reason }, 'The data of a table is missing');
        await this.fail(execution, outcome.failure);
        break;
      case 'cancelled':
        // Its row was changed before; where a stop could not do that, the next start does.
        break;
      case 'lost':
        await this.afterLost(execution, waiting, outcome.reason);
    }
    this.events.emitChanged(execution.id);
  }

  /**
   * The file first, then the row: a row without a file cannot be. A commit that was repeated after
   * its error can have happened before that error.
   */
  private async commit(execution: Execution, { path, result, readPrivateTable }: CompletedRun): Promise<void> {
    publish('run-phase', { executionId: execution.id, phase: 'commit' });
    const { isTruncated, ...described } = result;
    const file = `${execution.id}-${execution.attempt}.parquet`;
    await this.results.adopt(path, file);
    await failpoint('result-renamed');
    const endedAt = this.clock.now();
    const expiresAt = expiryOf(endedAt, this.config.RESULT_RETENTION_DAYS);
    const end = { isTruncated, readPrivateTable, endedAt, expiresAt };
    const isCommitted = await this.writes.write(() =>
      this.executions.complete(execution.id, { ...described, file }, end),
    );
    await failpoint('result-committed');
    if (isCommitted || (await this.executions.isResultFile(file)))
      publishEnd(execution, isTruncated ? 'COMPLETED_PARTIAL' : 'COMPLETED');
    else await this.results.delete(file);
  }

  private async afterLost(execution: Execution, waiting: WaitingExecution, reason: string): Promise<void> {
    this.logger.warn({ execution: execution.id, attempt: execution.attempt, reason }, 'An execution was lost');
    if (execution.attempt >= this.config.MAX_ATTEMPTS) {
      const message = `The query engine stopped while running this query, ${execution.attempt} times`;
      await this.fail(execution, { type: 'FAILED_TYPE_INTERNAL', message });
    } else {
      const current = await this.writes.write(async () => {
        await this.executions.requeue(execution.id);
        return this.executions.find(execution.id);
      });
      // A repeated write changes nothing if the first one was committed before its error.
      if (current?.state === 'PENDING') this.queue.add(waiting);
    }
  }

  private async fail(execution: Execution, failure: RunFailure): Promise<void> {
    const endedAt = this.clock.now();
    const located = toExecutionFailure(execution, failure);
    const hasFailed = await this.writes.write(() => this.executions.fail(execution.id, 'EXECUTING', located, endedAt));
    if (hasFailed) publishEnd(execution, 'FAILED', failure.type);
  }
}
