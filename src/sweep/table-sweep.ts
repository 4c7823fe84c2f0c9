import { Injectable } from '@nestjs/common';
import { failpoint } from '../config/failpoint.js';
import { TableStore } from '../storage/storage.module.js';
import { RemovedPartsRepository } from '../uploads/removed-parts.repository.js';
import { type OrphanReport, OrphanSweep } from './orphan-sweep.js';

/**
 * How long a blob without a row stays: runs find the parts of their tables some moments before they
 * open them, and a blob is in the store some moments before its row is in the catalog.
 */
export const GRACE_MS = 3_600_000;

/** What a sweep of the tables deleted, or would delete. */
export interface TableSweepReport {
  /** Blobs that were taken out of their tables. */
  readonly removed: readonly string[];
  /** Blobs that no table ever referred to. */
  readonly orphans: OrphanReport;
}

/** Deletes the blobs that no table refers to. */
@Injectable()
export class TableSweep {
  constructor(
    private readonly parts: RemovedPartsRepository,
    private readonly store: TableStore,
    private readonly orphanSweep: OrphanSweep,
  ) {}

  /** May be called while tables are read and changed. */
  async sweep(now: Date, { isDryRun }: { isDryRun: boolean }): Promise<TableSweepReport> {
    const before = new Date(now.getTime() - GRACE_MS);
    const removed = await this.sweepRemoved(before, isDryRun);
    return { removed, orphans: await this.sweepOrphansBefore(before, { isDryRun }) };
  }

  /** Sweeps files that were written before an instant. */
  sweepOrphansBefore(writtenBefore: Date, isDryRun: { isDryRun: boolean }): Promise<OrphanReport> {
    const isKnown = (blob: string) => this.parts.isKnown(blob);
    return this.orphanSweep.sweep({ name: 'tables', blobs: this.store, isKnown }, writtenBefore, isDryRun);
  }

  private async sweepRemoved(before: Date, isDryRun: boolean): Promise<string[]> {
    const blobs = await this.parts.list(before);
    if (isDryRun) return blobs;
    for (const blob of blobs) {
      // The file first: one that is forgotten before would be an orphan.
      await this.store.delete(blob);
      await failpoint('part-deleted');
      await this.parts.forget(blob);
    }
    return blobs;
  }
}
