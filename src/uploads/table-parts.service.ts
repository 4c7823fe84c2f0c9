import { Injectable } from '@nestjs/common';
import { ulid } from 'ulid';
import { failpoint } from '../config/failpoint.js';
import type { IngestedPart } from '../processes/ingest/staged-file.js';
import { discard } from '../processes/ingest/staging.js';
import { TableStore } from '../storage/storage.module.js';
import { RemovedPartsRepository } from './removed-parts.repository.js';
import type { TablePart } from './table.js';

/** A finished Parquet file that is no part of a table yet. */
type StagedPart = Pick<IngestedPart, 'path' | 'rowCount' | 'sizeBytes'>;

/** Moves files into the store as parts of tables. */
@Injectable()
export class TablePartsService {
  constructor(
    private readonly store: TableStore,
    private readonly removed: RemovedPartsRepository,
  ) {}

  /** {@link commitAll} of one. */
  commit<T>(staged: StagedPart, commit: (part: TablePart) => Promise<T>): Promise<T> {
    return this.commitAll([staged], ([part]) => commit(part as TablePart));
  }

  /**
   * Moves files into the store, then lets `commit` write them to the catalog, as a row without a
   * file cannot be. If `commit` throws, or returns false as it changed nothing, they are deleted,
   * except those that the catalog has: an error can come after the commit.
   */
  async commitAll<T>(staged: readonly StagedPart[], commit: (parts: readonly TablePart[]) => Promise<T>): Promise<T> {
    const parts = staged.map(({ rowCount, sizeBytes }) => ({ blob: `${ulid()}.parquet`, rowCount, sizeBytes }));
    let isCommitted = false;
    try {
      for (const [index, { path }] of staged.entries()) await this.store.adopt(path, parts[index]?.blob ?? '');
      await failpoint('part-stored');
      const outcome = await commit(parts);
      isCommitted = outcome !== false;
      await failpoint('table-committed');
      return outcome;
    } finally {
      if (!isCommitted) await this.deleteUnknown(parts);
      await Promise.all(staged.map(discard));
    }
  }

  /** What cannot be asked for or deleted now is an orphan, which the sweep deletes. */
  private async deleteUnknown(parts: readonly TablePart[]): Promise<void> {
    const deletions = parts.map(async ({ blob }) => {
      if (!(await this.removed.isKnown(blob))) await this.store.delete(blob);
    });
    await Promise.allSettled(deletions);
  }

  /** Absolute paths of parts. */
  pathsOf(parts: readonly TablePart[]): string[] {
    return parts.map(({ blob }) => this.store.pathOf(blob));
  }
}
