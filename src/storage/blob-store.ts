import { chmod, copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { syncToDisk } from './sync-to-disk.js';

/** A blob as a sweep sees it. */
export interface StoredBlob {
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/**
 * Keeps immutable files in a folder: results, parts of tables. A blob appears whole and on the disk, or not at all; its name is never used
 * again. Names are given by the service and have no folder in them.
 */
export class BlobStore {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = resolve(folder);
  }

  /** Where the blob lies, for an engine that reads it. */
  pathOf(name: string): string {
    if (name !== basename(name) || name.startsWith('.')) throw new Error('A blob name must be a plain file name');
    return join(this.folder, shardOf(name), name);
  }

  /**
   * Takes a finished file over: makes it read-only, and readable by its owner only, waits until it
   * is on the disk, and moves it to its place. The file must lie on the same file system as the
   * store.
   */
  async adopt(path: string, name: string): Promise<void> {
    const target = this.pathOf(name);
    await this.makeFolderOf(target);
    await chmod(path, 0o400);
    // A sweep goes by the time at which a blob came, not by that at which its file was written.
    await utimes(path, new Date(), new Date());
    await syncToDisk(path);
    await rename(path, target);
    await syncToDisk(dirname(target));
  }

  /** Takes a copy of a file that stays where it is, for example on another file system. */
  async adoptCopy(path: string, name: string): Promise<{ sizeBytes: number }> {
    const copy = `${this.pathOf(name)}.copy`;
    await this.makeFolderOf(copy);
    await copyFile(path, copy);
    const { size } = await stat(copy);
    await this.adopt(copy, name);
    return { sizeBytes: size };
  }

  /** Deletes a blob; one that is gone already is no error. Whoever has it open reads on. */
  async delete(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
  }

  /** Every blob. */
  async *list(): AsyncGenerator<StoredBlob> {
    for (const shard of await readdir(this.folder, { withFileTypes: true }).catch(nothing)) {
      if (!shard.isDirectory()) continue;
      for (const name of await readdir(join(this.folder, shard.name))) {
        const found = await stat(this.pathOf(name)).catch(() => undefined);
        if (found) yield { name, sizeBytes: found.size, modifiedAt: found.mtime };
      }
    }
  }

  /** A folder that is new must be on the disk, too, or its blobs would be lost with it. */
  private async makeFolderOf(path: string): Promise<void> {
    const isNew = await mkdir(dirname(path), { recursive: true });
    if (isNew) for (const parent of [this.folder, dirname(this.folder)]) await syncToDisk(parent);
  }
}

/** Blobs are spread over folders by the end of the ULID that their names begin with. */
function shardOf(name: string): string {
  const [ulid = name] = name.split(/[-.]/, 1);
  return ulid.slice(-2);
}

/** The folder is created with its first blob. */
function nothing(): [] {
  return [];
}
