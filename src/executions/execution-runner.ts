import { Injectable, Logger } from '@nestjs/common';
import { isUnavailable } from '../catalog/sqlite/sqlite-file.js';
import { Clock } from '../common/clock.js';
import { faultPoint } from '../common/fault-point.js';
import { Config } from '../config/config.js';
import { ResultStore } from '../storage/storage.module.js';
import { TablesService } from '../uploads/tables.service.js';
import { CatalogWrites } from './catalog-writes.js';
import { Engine, type EngineRun, type RunFailure, type RunOutcome, type RunResult } from './engine/engine.js';
import type { Execution, StoredResult } from './execution.js';
import { ExecutionEvents } from './execution-events.js';
import { ExecutionQueue, type Waiting } from './execution-queue.js';
import { ExecutionsRepository } from './executions.repository.js';
import { expiryOf } from './expiry.js';
import { ResultQuota } from './result-quota.js';
import { slotsFor } from './run-classes.js';

/**
 * Runs what waits in the queue, as many at a time as there are workers. The catalog's compare-and-set decides every race: an execution that
 * was cancelled while its result was being committed stays cancelled, and its file goes.
 */
@Injectable()
export class ExecutionRunner {
  private readonly logger = new Logger(ExecutionRunner.name);
  private readonly running = new Map<string, EngineRun>();
  private readonly ending = new Set<Promise<void>>();
  private readonly writes = new CatalogWrites((error, pauseMs) =>
    this.logger.warn({ err: error, pause_ms: pauseMs }, 'The catalog cannot be written now; trying again'),
  );
  private freeSlots: number;
  private isStopping = false;
  private isGivingBack = false;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly engine: Engine,
    private readonly queue: ExecutionQueue,
    private readonly executions: ExecutionsRepository,
    private readonly quota: ResultQuota,
    private readonly tables: TablesService,
    private readonly results: ResultStore,
    private readonly events: ExecutionEvents,
  ) {
    this.freeSlots = config.WORKERS;
  }

  /** Starts what can start now. Called whenever something was queued or a slot became free. */
  pump(): void {
    for (let next = this.queue.peek(); next && !this.isStopping; next = this.queue.peek()) {
      const slots = slotsFor(next.performance, this.config);
      if (slots > this.freeSlots) return;
      this.queue.take();
      this.freeSlots -= slots;
      const ended = this.run(next)
        .catch((error: unknown) =>
          this.logger.error({ err: error, execution: next.executionId }, 'An execution could not be run'),
        )
        .finally(() => {
          this.freeSlots += slots;
          this.ending.delete(ended);
          this.pump();
        });
      this.ending.add(ended);
    }
  }

  /** Stops a run; its row must have been moved out of EXECUTING before. */
  cancel(executionId: string): void {
    this.running.get(executionId)?.cancel();
  }

  /** Above 0, up to 100, while the execution runs and its engine tells. */
  progressPercentage(executionId: string): number | undefined {
    return this.running.get(executionId)?.progressPercentage();
  }

  /** Starts nothing more; lets what runs finish for `graceMs`, then gives it back to the queue of the next start. */
  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([this.whenIdle(), grace]);
    clearTimeout(timer);
    this.isGivingBack = true;
    this.writes.stop();
    await Promise.all([...this.running].map(([id, run]) => this.giveBack(id, run)));
    await this.whenIdle();
  }

  private async whenIdle(): Promise<void> {
    while (this.ending.size > 0) await Promise.all(this.ending);
  }

  /** A stop is nobody's fault: it does not count towards `MAX_ATTEMPTS`. What cannot be written now, the next start does. */
  private async giveBack(executionId: string, run: EngineRun): Promise<void> {
    await this.executions
      .requeue(executionId)
      .catch((error: unknown) =>
        this.logger.error({ err: error, execution: executionId }, 'An execution could not be given back'),
      );
    run.cancel();
  }

  private async run(waiting: Waiting): Promise<void> {
    const execution = await this.begin(waiting);
    if (!execution) return;
    faultPoint('execution-begun');
    try {
      await this.runBegun(execution);
    } catch (error) {
      // Such as a full disk: nothing may stay EXECUTING that nobody runs.
      await this.afterLoss(execution, 'an error of the service');
      this.events.emitChanged(execution.id);
      throw error;
    }
  }

  /** Gives nothing if the execution does not begin: it waits no more, or cannot begin now and has its turn back. */
  private async begin(waiting: Waiting): Promise<Execution | undefined> {
    const { executionId } = waiting;
    try {
      const found = await this.executions.find(executionId);
      if (!found) return undefined;
      if (await this.failIfStorageFull(found)) return undefined;
      const attempt = found.attempt + 1;
      const hasBegun = await this.executions.begin(executionId, attempt, this.clock.now());
      return hasBegun ? { ...found, state: 'EXECUTING', attempt } : undefined;
    } catch (error) {
      await this.afterFailedBegin(waiting, error);
      return undefined;
    }
  }

  /** The account's results can have reached its plan since the execution was submitted. */
  private async failIfStorageFull({ id, accountId }: Execution): Promise<boolean> {
    const excess = this.quota.findExcess(await this.executions.getStorage(accountId));
    if (!excess) return false;
    const failure = { type: 'FAILED_TYPE_RESULT_TOO_LARGE', message: excess.message } as const;
    await this.executions.fail(id, 'PENDING', failure, this.clock.now());
    this.events.emitChanged(id);
    return true;
  }

  private async afterFailedBegin(waiting: Waiting, error: unknown): Promise<void> {
    const { executionId } = waiting;
    if (isUnavailable(error)) {
      this.queue.putBack(waiting);
      this.events.emitChanged(executionId);
      return this.writes.pauseAfter(error);
    }
    this.logger.error({ err: error, execution: executionId }, 'An execution could not begin');
    const failure = { type: 'FAILED_TYPE_INTERNAL', message: 'The service could not begin to run this query' } as const;
    await this.writes.write(() => this.executions.fail(executionId, 'PENDING', failure, this.clock.now()));
    this.events.emitChanged(executionId);
  }

  private async runBegun(execution: Execution): Promise<void> {
    const run = this.engine.start({
      executionId: execution.id,
      sql: execution.sql,
      resourceClass: execution.performance,
      resolveTables: (references) => this.tables.findForRun(references, execution.accountId),
    });
    this.running.set(execution.id, run);
    this.events.emitChanged(execution.id);
    try {
      if (this.isGivingBack) await this.giveBack(execution.id, run);
      await this.cancelIfMoved(execution, run);
      const outcome = await run.outcome;
      faultPoint('run-ended');
      await this.settle(execution, outcome);
    } finally {
      this.running.delete(execution.id);
      run.cancel();
      await run.dispose();
    }
  }

  /** A cancel that came between the row's change and the start of the run found nothing to stop. */
  private async cancelIfMoved({ id }: Execution, run: EngineRun): Promise<void> {
    const current = await this.executions.find(id);
    if (current?.state !== 'EXECUTING') run.cancel();
  }

  private async settle(execution: Execution, outcome: RunOutcome): Promise<void> {
    switch (outcome.kind) {
      case 'completed':
        await this.commit(execution, outcome.result);
        break;
      case 'failed':
        await this.fail(execution, outcome.failure);
        break;
      case 'cancelled':
        // Its row was moved before; where a stop could not do that, the next start does.
        break;
      case 'lost':
        await this.afterLoss(execution, outcome.reason);
    }
    this.events.emitChanged(execution.id);
  }

  /** The file first, then the row: a row without a file cannot be. */
  private async commit(execution: Execution, run: RunResult): Promise<void> {
    const { columns, rowCount, fileBytes, logicalBytes, maxRowBytes, isTruncated, readPrivateTable } = run;
    const file = `${execution.id}-${execution.attempt}.parquet`;
    const result: StoredResult = { file, columns, rowCount, fileBytes, logicalBytes, maxRowBytes };
    await this.results.adopt(run.path, file);
    faultPoint('result-renamed');
    const endedAt = this.clock.now();
    const expiresAt = expiryOf(endedAt, this.config.RESULT_RETENTION_DAYS);
    const end = { isTruncated, readPrivateTable, endedAt, expiresAt };
    const isCommitted = await this.writes.write(() => this.executions.complete(execution.id, result, end));
    faultPoint('result-committed');
    if (!isCommitted) await this.results.delete(file);
  }

  private async afterLoss(execution: Execution, reason: string): Promise<void> {
    this.logger.warn({ execution: execution.id, attempt: execution.attempt, reason }, 'An execution was lost');
    if (execution.attempt >= this.config.MAX_ATTEMPTS) {
      const message = `The query engine stopped while running this query, ${execution.attempt} times`;
      await this.fail(execution, { type: 'FAILED_TYPE_INTERNAL', message });
    } else if (await this.writes.write(() => this.executions.requeue(execution.id))) {
      this.queue.add(toWaiting(execution));
    }
  }

  private async fail({ id }: Execution, failure: RunFailure): Promise<void> {
    const endedAt = this.clock.now();
    await this.writes.write(() => this.executions.fail(id, 'EXECUTING', failure, endedAt));
  }
}

/** What the queue needs to know of an execution. */
export function toWaiting({ id, accountId, performance }: Execution) {
  return { executionId: id, accountId, performance };
}
