import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { faultPoint } from '../common/fault-point.js';
import { Config } from '../config/config.js';
import { ResultStore } from '../storage/storage.module.js';
import { TablesService } from '../uploads/tables.service.js';
import { Engine, type EngineRun, type RunOutcome, type RunResult } from './engine/engine.js';
import type { Execution, StoredResult } from './execution.js';
import { ExecutionEvents } from './execution-events.js';
import { ExecutionQueue } from './execution-queue.js';
import { ExecutionsRepository } from './executions.repository.js';
import { expiryOf } from './expiry.js';
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
  private freeSlots: number;
  private isStopping = false;
  private isGivingBack = false;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly engine: Engine,
    private readonly queue: ExecutionQueue,
    private readonly executions: ExecutionsRepository,
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
      const ended = this.run(next.executionId)
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

  /** 0 to 100, while the execution runs and its engine tells. */
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
    await Promise.all([...this.running].map(([id, run]) => this.giveBack(id, run)));
    await this.whenIdle();
  }

  private async whenIdle(): Promise<void> {
    while (this.ending.size > 0) await Promise.all(this.ending);
  }

  /** A stop is nobody's fault: it does not count towards `MAX_ATTEMPTS`. */
  private async giveBack(executionId: string, run: EngineRun): Promise<void> {
    await this.executions.requeue(executionId);
    run.cancel();
  }

  private async run(executionId: string): Promise<void> {
    const waiting = await this.executions.find(executionId);
    if (!waiting) return;
    const attempt = waiting.attempt + 1;
    if (!(await this.executions.begin(executionId, attempt, this.clock.now()))) return;
    faultPoint('execution-begun');
    const execution: Execution = { ...waiting, state: 'EXECUTING', attempt };
    try {
      await this.runBegun(execution);
    } catch (error) {
      // Such as a full disk: nothing may stay EXECUTING that nobody runs.
      await this.afterLoss(execution, 'an error of the service');
      this.events.emitChanged(executionId);
      throw error;
    }
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
        await this.executions.fail(execution.id, 'EXECUTING', outcome.failure, this.clock.now());
        break;
      case 'cancelled':
        await this.executions.cancel(execution.id, 'EXECUTING', this.clock.now());
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
    const isCommitted = await this.executions.complete(execution.id, result, {
      isTruncated,
      readPrivateTable,
      endedAt,
      expiresAt,
    });
    faultPoint('result-committed');
    if (!isCommitted) await this.results.delete(file);
  }

  private async afterLoss(execution: Execution, reason: string): Promise<void> {
    this.logger.warn({ execution: execution.id, attempt: execution.attempt, reason }, 'An execution was lost');
    if (execution.attempt >= this.config.MAX_ATTEMPTS) {
      const message = `The query engine stopped while running this query, ${execution.attempt} times`;
      await this.executions.fail(
        execution.id,
        'EXECUTING',
        { type: 'FAILED_TYPE_INTERNAL', message },
        this.clock.now(),
      );
    } else if (await this.executions.requeue(execution.id)) {
      this.queue.add(toWaiting(execution));
    }
  }
}

/** What the queue needs to know of an execution. */
export function toWaiting({ id, accountId, performance }: Execution) {
  return { executionId: id, accountId, performance };
}
