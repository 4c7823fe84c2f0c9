import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { faultPoint } from '../common/fault-point.js';
import { logOrphans, type OrphanReport, OrphanSweep } from '../storage/orphan-sweep.js';
import { TableStore } from '../storage/storage.module.js';
import { RemovedPartsRepository } from './removed-parts.repository.js';

/**
 * How long a blob stays that no table holds: a run has found the parts of its tables some moments before it opens them, and a blob is in the
 * store some moments before its row is in the catalog.
 */
const GRACE_MS = 3_600_000;

/** What a sweep of the tables deleted, or would delete. */
export interface TableSweepReport {
  /** Blobs that were taken out of their tables. */
  readonly removed: readonly string[];
  /** Blobs that no table ever held. */
  readonly orphans: OrphanReport;
}

/** Deletes the blobs that no table holds. */
@Injectable()
export class TableSweepService implements OnApplicationBootstrap {
  private readonly logger = new Logger(TableSweepService.name);
  private readonly startedAt = new Date();

  constructor(
    private readonly parts: RemovedPartsRepository,
    private readonly store: TableStore,
    private readonly orphanSweep: OrphanSweep,
  ) {}

  /** Whatever lay there before this process started and was never part of a table came from a crash. */
  async onApplicationBootstrap(): Promise<void> {
    logOrphans(this.logger, 'tables', await this.sweepOrphans(this.startedAt, false));
  }

  /** May be called while tables are read and changed. */
  async sweepTables(now: Date, { isDryRun }: { isDryRun: boolean }): Promise<TableSweepReport> {
    const before = new Date(now.getTime() - GRACE_MS);
    return { removed: await this.sweepRemoved(before, isDryRun), orphans: await this.sweepOrphans(before, isDryRun) };
  }

  private async sweepRemoved(before: Date, isDryRun: boolean): Promise<string[]> {
    const blobs = await this.parts.list(before);
    if (isDryRun) return blobs;
    for (const blob of blobs) {
      // The file first: one that is forgotten before would be an orphan.
      await this.store.delete(blob);
      faultPoint('part-deleted');
      await this.parts.forget(blob);
    }
    return blobs;
  }

  private sweepOrphans(writtenBefore: Date, isDryRun: boolean): Promise<OrphanReport> {
    const isKnown = (blob: string) => this.parts.isKnown(blob);
    return this.orphanSweep.sweep({ name: 'tables', blobs: this.store, isKnown }, writtenBefore, { isDryRun });
  }
}
