import { Injectable } from '@nestjs/common';
import { ulid } from 'ulid';
import { faultPoint } from '../common/fault-point.js';
import { TableStore } from '../storage/storage.module.js';
import { discard } from './ingest/staging.js';
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

  /**
   * Takes a file over and lets `commit` write it to the catalog: the file first, then the row, so that a row without a file cannot be. When
   * `commit` throws, or returns false because it changed nothing, the file is deleted.
   */
  async keep<T>(staged: StagedPart, commit: (part: TablePart) => Promise<T>): Promise<T> {
    const blob = `${ulid()}.parquet`;
    let isKept = false;
    try {
      await this.store.adopt(staged.path, blob);
      faultPoint('part-stored');
      const outcome = await commit({ blob, rowCount: staged.rowCount, sizeBytes: staged.sizeBytes });
      isKept = outcome !== false;
      faultPoint('table-committed');
      return outcome;
    } finally {
      if (!isKept) await this.store.delete(blob);
      await discard(staged);
    }
  }

  /** Absolute paths of parts. */
  pathsOf(parts: readonly TablePart[]): string[] {
    return parts.map(({ blob }) => this.store.pathOf(blob));
  }
}
