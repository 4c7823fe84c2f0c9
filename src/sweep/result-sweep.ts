import { Injectable } from '@nestjs/common';
import { failpoint } from '../config/failpoint.js';
import { ExecutionsRepository } from '../executions/executions.repository.js';
import { ResultStore } from '../storage/storage.module.js';
import { type OrphanReport, OrphanSweep } from './orphan-sweep.js';

/** A file that is younger may belong to an execution that is being committed right now. */
export const ORPHAN_AGE_MS = 600_000;
const BATCH = 500;

/**
 * Deletes results past their retention, and files of results that the catalog does not refer to. A
 * reader in the middle of a stream has its file open and finishes it.
 */
@Injectable()
export class ResultSweep {
  constructor(
    private readonly executions: ExecutionsRepository,
    private readonly results: ResultStore,
    private readonly orphanSweep: OrphanSweep,
  ) {}

  /** Returns the executions whose results were deleted, or would be. */
  async sweepExpired(now: Date, { isDryRun }: { isDryRun: boolean }): Promise<string[]> {
    if (isDryRun)
      return (await this.executions.listExpired(now, Number.MAX_SAFE_INTEGER)).map(({ executionId }) => executionId);
    const swept: string[] = [];
    for (;;) {
      const batch = await this.executions.listExpired(now, BATCH);
      for (const { executionId, file } of batch) {
        // The row first: a row without a file cannot be.
        const isMine = await this.executions.expire(executionId);
        await failpoint('result-expired');
        if (isMine) await this.results.delete(file);
        await failpoint('result-deleted');
        swept.push(executionId);
      }
      if (batch.length < BATCH) return swept;
    }
  }

  /** Sweeps files that are too old to belong to an execution that is being committed. */
  sweepOrphans(now: Date, isDryRun: { isDryRun: boolean }): Promise<OrphanReport> {
    return this.sweepOrphansBefore(new Date(now.getTime() - ORPHAN_AGE_MS), isDryRun);
  }

  /** Sweeps files that were written before an instant. */
  sweepOrphansBefore(writtenBefore: Date, isDryRun: { isDryRun: boolean }): Promise<OrphanReport> {
    const isKnown = (file: string) => this.executions.isResultFile(file);
    return this.orphanSweep.sweep({ name: 'results', blobs: this.results, isKnown }, writtenBefore, isDryRun);
  }
}
