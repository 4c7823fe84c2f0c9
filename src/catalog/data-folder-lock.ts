import { join } from 'node:path';
import type { OnApplicationShutdown } from '@nestjs/common';
import { DataFolderInUseError } from './catalog.errors.js';
import { prepareDataFolder } from './data-folder.js';
import { toOpenError } from './open-errors.js';
import { isLockedExclusively, lockExclusively } from './sqlite/sqlite-file.js';

/**
 * Keeps two servers from running on one data folder, where each would recover the other's
 * executions. Commands need no lock. The end of the process, even by SIGKILL, releases it.
 */
export class DataFolderLock implements OnApplicationShutdown {
  private constructor(private readonly file: Disposable) {}

  /** @throws {DataFolderInUseError} {@link DataFolderNotEmptyError} {@link OperatorError} */
  static take(dataDir: string): DataFolderLock {
    const file = open(dataDir);
    if (!file) throw new DataFolderInUseError();
    return new DataFolderLock(file);
  }

  /** Whether a server has the folder for itself now. */
  static isTaken(dataDir: string): boolean {
    return isLockedExclusively(fileIn(dataDir));
  }

  release(): void {
    this.file[Symbol.dispose]();
  }

  onApplicationShutdown(): void {
    this.release();
  }
}

function open(dataDir: string): Disposable | undefined {
  try {
    prepareDataFolder(dataDir);
    return lockExclusively(fileIn(dataDir));
  } catch (error) {
    throw toOpenError(error, dataDir);
  }
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'serving.lock');
}
