import { Injectable } from '@nestjs/common';
import { ulid } from 'ulid';
import { faultPoint } from '../config/fault-point.js';
import { discard } from '../processes/ingest/staging.js';
import { TableStore } from '../storage/storage.module.js';
import type { TablePart } from './table.js';

/** A finished Parquet file that is no part of a table yet. */
export interface StagedPart {
  readonly path: string;
  readonly rowCount: number;
  readonly sizeBytes: number;
}

/** Takes files into the store as parts of tables. */
@Injectable()
export class TablePartsService {
  constructor(private readonly store: TableStore) {}

  /** {@link keepAll} of one. */
  keep<T>(staged: StagedPart, commit: (part: TablePart) => Promise<T>): Promise<T> {
    return this.keepAll([staged], ([part]) => commit(part as TablePart));
  }

  /**
   * Takes files over and lets `commit` write them to the catalog: the files first, then the rows, so that a row without a file cannot be.
   * When `commit` throws, or returns false because it changed nothing, the files are deleted.
   */
  async keepAll<T>(staged: readonly StagedPart[], commit: (parts: readonly TablePart[]) => Promise<T>): Promise<T> {
    const parts = staged.map(({ rowCount, sizeBytes }) => ({ blob: `${ulid()}.parquet`, rowCount, sizeBytes }));
    let isKept = false;
    try {
      for (const [index, { path }] of staged.entries()) await this.store.adopt(path, parts[index]?.blob ?? '');
      faultPoint('part-stored');
      const outcome = await commit(parts);
      isKept = outcome !== false;
      faultPoint('table-committed');
      return outcome;
    } finally {
      if (!isKept) await Promise.all(parts.map(({ blob }) => this.store.delete(blob)));
      await Promise.all(staged.map(discard));
    }
  }

  /** Absolute paths of parts. */
  pathsOf(parts: readonly TablePart[]): string[] {
    return parts.map(({ blob }) => this.store.pathOf(blob));
  }
}
