import { constants } from 'node:fs';
import { chmod, copyFile, link, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { failpoint } from '../config/failpoint.js';
import { syncToDisk } from './sync-to-disk.js';

/** Errors of file systems that have no hard links, or no more of them to this file. */
const CANNOT_LINK = new Set(['ENOENT', 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** A blob, as a sweep lists it. */
export interface StoredBlob {
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/**
 * Immutable files in a folder: results, parts of tables. A blob appears whole and on the disk, or
 * not at all; its name, a plain file name of the service, is never used again.
 */
export class BlobStore {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = resolve(folder);
  }

  /** The path of the blob, for an engine that reads it. */
  pathOf(name: string): string {
    if (name !== basename(name) || name.startsWith('.')) throw new Error('A blob name must be a plain file name');
    return join(this.folder, shardOf(name), name);
  }

  /**
   * Moves a finished file into the store, which must be on the same file system, after it is on the
   * disk. Only its owner can read it, and no process can write it.
   */
  async adopt(path: string, name: string): Promise<void> {
    const target = this.pathOf(name);
    await this.makeFolderOf(target);
    await chmod(path, 0o400);
    // Sweeps use the time at which a blob was added, not that at which its file was written.
    await utimes(path, new Date(), new Date());
    await syncToDisk(path);
    await failpoint('blob-adopt');
    await rename(path, target);
    await failpoint('blob-adopted');
    await syncToDisk(dirname(target));
  }

  /** Copies a file into the store, for example from another file system. */
  async adoptCopy(path: string, name: string): Promise<{ sizeBytes: number }> {
    const copy = `${this.pathOf(name)}.copy`;
    await this.makeFolderOf(copy);
    await failpoint('blob-copy', { path: copy, bytes: () => readFile(path) });
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    const { size } = await stat(copy);
    await this.adopt(copy, name);
    return { sizeBytes: size };
  }

  /**
   * Gives an immutable file a name in the store, without a copy; {@link sync} brings the
   * name to the disk.
   *
   * @returns false if there is no such file, or its file system has no such links.
   */
  async adoptLink(path: string, name: string): Promise<boolean> {
    const target = this.pathOf(name);
    await this.makeFolderOf(target);
    await failpoint('blob-link');
    try {
      await link(path, target);
      return true;
    } catch (error) {
      if (!CANNOT_LINK.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      return false;
    }
  }

  /** Waits until the names of all blobs are on the disk. */
  async sync(): Promise<void> {
    for (const shard of await this.shards()) await syncToDisk(join(this.folder, shard));
  }

  /** Deletes a blob, if there is one. A process that has it open can still read it. */
  async delete(name: string): Promise<void> {
    await failpoint('blob-delete');
    await rm(this.pathOf(name), { force: true });
  }

  /** Every blob. */
  async *list(): AsyncGenerator<StoredBlob> {
    await failpoint('blob-list');
    for (const shard of await this.shards()) {
      for (const name of await readdir(join(this.folder, shard))) {
        const found = await stat(this.pathOf(name)).catch(() => undefined);
        if (found) yield { name, sizeBytes: found.size, modifiedAt: found.mtime };
      }
    }
  }

  /** The folder is created with its first blob. */
  private async shards(): Promise<string[]> {
    const entries = await readdir(this.folder, { withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  }

  /** A new folder must be on the disk, too, or its blobs would be lost with it. */
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
