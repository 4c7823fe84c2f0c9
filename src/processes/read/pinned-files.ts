import { link, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { failpoint } from '../../config/failpoint.js';

/** A file that stays readable until it is released. */
export interface PinnedFile {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * Files that have a second name while they are read, so that a sweep, in this process or another,
 * cannot remove one in the middle of a stream: each further thread of the engine opens the file
 * again.
 */
export class PinnedFiles {
  /** @param folder where the second names stand; on the file system of the files. */
  constructor(private readonly folder: string) {}

  async pin(path: string): Promise<PinnedFile> {
    const pinned = join(this.folder, `${ulid()}.parquet`);
    await mkdir(this.folder, { recursive: true });
    try {
      await failpoint('result-pin');
      await link(path, pinned);
    } catch (error) {
      // A file system without links: the file is read under its own name.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
      return { path, release: async () => {} };
    }
    return { path: pinned, release: () => rm(pinned, { force: true }) };
  }
}
