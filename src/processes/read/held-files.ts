import { link, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ulid } from 'ulid';

/** A file that stays readable until it is released. */
export interface HeldFile {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * Gives files a second name for as long as someone reads them, so that a sweep, in this process or another, cannot take one away in
 * mid-stream: the engine opens a file again whenever another of its threads joins in.
 */
export class HeldFiles {
  /** @param folder where the second names stand; on the file system of the files. */
  constructor(private readonly folder: string) {}

  async hold(path: string): Promise<HeldFile> {
    const held = join(this.folder, `${ulid()}.parquet`);
    await mkdir(this.folder, { recursive: true });
    try {
      await link(path, held);
    } catch (error) {
      // A file system without links: the reader takes the file as it is.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
      return { path, release: async () => {} };
    }
    return { path: held, release: () => rm(held, { force: true }) };
  }
}
