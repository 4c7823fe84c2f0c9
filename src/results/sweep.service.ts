import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { faultPoint } from '../common/fault-point.js';
import { StoredResultsService } from '../executions/stored-results.service.js';
import { logOrphans, type OrphanReport, OrphanSweep } from '../storage/orphan-sweep.js';
import { ResultStore } from '../storage/storage.module.js';

/** What a sweep deleted, or would delete. */
export interface SweepReport {
  /** Executions whose results are past their retention. */
  readonly expired: readonly string[];
  /** Files that no execution has. */
  readonly orphans: OrphanReport;
}

/** A file that is younger may belong to an execution that is being committed right now. */
const ORPHAN_AGE_MS = 600_000;
const BATCH = 500;

/**
 * Deletes results past their retention, and files that a crash left behind. A reader in the middle
 * of a stream has its file open and finishes it.
 */
@Injectable()
export class SweepService implements OnApplicationBootstrap {
  private readonly logger = new Logger(SweepService.name);
  private readonly startedAt = new Date();

  constructor(
    private readonly clock: Clock,
    private readonly stored: StoredResultsService,
    private readonly results: ResultStore,
    private readonly orphanSweep: OrphanSweep,
  ) {}

  /**
   * Whatever lay there before this process started and belongs to no execution came from a crash.
   */
  async onApplicationBootstrap(): Promise<void> {
    logOrphans(this.logger, 'results', await this.sweepOrphans(this.startedAt, false));
  }

  async sweep({ isDryRun }: { isDryRun: boolean }): Promise<SweepReport> {
    const now = this.clock.now();
    const expired = await this.sweepExpired(now, isDryRun);
    const orphans = await this.sweepOrphans(new Date(now.getTime() - ORPHAN_AGE_MS), isDryRun);
    return { expired, orphans };
  }

  private async sweepExpired(now: Date, isDryRun: boolean): Promise<string[]> {
    if (isDryRun)
      return (await this.stored.listExpired(now, Number.MAX_SAFE_INTEGER)).map(({ executionId }) => executionId);
    const swept: string[] = [];
    for (;;) {
      const batch = await this.stored.listExpired(now, BATCH);
      for (const { executionId, file } of batch) {
        // The row first: a row without a file cannot be.
        const isMine = await this.stored.expire(executionId);
        faultPoint('result-expired');
        if (isMine) await this.results.delete(file);
        faultPoint('result-deleted');
        swept.push(executionId);
      }
      if (batch.length < BATCH) return swept;
    }
  }

  private sweepOrphans(writtenBefore: Date, isDryRun: boolean): Promise<OrphanReport> {
    const isKnown = (file: string) => this.stored.isResultFile(file);
    return this.orphanSweep.sweep({ name: 'results', blobs: this.results, isKnown }, writtenBefore, { isDryRun });
  }
}
