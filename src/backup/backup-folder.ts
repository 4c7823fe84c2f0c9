import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { lockExclusively } from '../catalog/sqlite/sqlite-file.js';
import { failpoint } from '../config/failpoint.js';
import { syncToDisk } from '../storage/sync-to-disk.js';
import { BackupInDataFolderError, BackupInProgressError, toFolderError } from './backup.errors.js';
import { BACKUP_NAME, UNFINISHED } from './find-newest-backup.js';

/** A folder of backups, each in a folder of its own, of which one process at a time writes one. */
export class BackupFolder {
  private constructor(
    readonly path: string,
    private readonly lock: Disposable,
  ) {}

  /**
   * Opens a folder, creates it when absent, and removes what interrupted backups have left there.
   *
   * @throws {BackupInDataFolderError}
   * @throws {BackupInProgressError}
   */
  static async open(folder: string, dataDir: string): Promise<BackupFolder> {
    const path = resolve(folder);
    try {
      if (isWithin(await realPathOf(path), await realpath(dataDir))) throw new BackupInDataFolderError(path);
      await mkdir(path, { recursive: true, mode: 0o700 });
      const lock = lockExclusively(join(path, 'backup.lock'));
      if (!lock) throw new BackupInProgressError(path);
      for (const name of await readdir(path)) if (isUnfinished(name)) await rm(join(path, name), { recursive: true });
      return new BackupFolder(path, lock);
    } catch (error) {
      throw toFolderError(error, path);
    }
  }

  /** Makes the folder of a new backup, under a name that {@link finish} completes. */
  async begin(at: Date): Promise<string> {
    const folder = join(this.path, at.toISOString().replaceAll(':', '-') + UNFINISHED);
    await mkdir(folder, { mode: 0o700 });
    return folder;
  }

  /** Gives a complete backup its name. @returns where it is now. */
  async finish(folder: string): Promise<string> {
    const finished = folder.slice(0, -UNFINISHED.length);
    await failpoint('backup-rename');
    await rename(folder, finished);
    await syncToDisk(this.path);
    return finished;
  }

  close(): void {
    this.lock[Symbol.dispose]();
  }
}

function isUnfinished(name: string): boolean {
  return name.endsWith(UNFINISHED) && BACKUP_NAME.test(name.slice(0, -UNFINISHED.length));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

/** Without symbolic links, as far as it exists. */
async function realPathOf(path: string): Promise<string> {
  return await realpath(path).catch(async () =>
    path === dirname(path) ? path : join(await realPathOf(dirname(path)), basename(path)),
  );
}
