import { join } from 'node:path';
import type { OnApplicationShutdown } from '@nestjs/common';
import { DataFolderInUseError } from './catalog.errors.js';
import { prepareDataFolder } from './data-folder.js';
import { toOpenError } from './open-errors.js';
import { holdExclusively } from './sqlite/sqlite-file.js';

/**
 * Keeps two servers from running on one data folder, where each would recover the other's executions. Commands beside
 * the server need no lock. A crash, even SIGKILL, lets go of it: there is nothing to clean up by hand.
 */
export class DataFolderLock implements OnApplicationShutdown {
  private constructor(private readonly file: Disposable) {}

  /** @throws {DataFolderInUseError} if another process holds the folder. @throws {DataFolderNotEmptyError} @throws {OperatorError} */
  static take(dataDir: string): DataFolderLock {
    const file = open(dataDir);
    if (!file) throw new DataFolderInUseError();
    return new DataFolderLock(file);
  }

  /** Lets the next server in. */
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
    return holdExclusively(join(dataDir, 'serving.lock'));
  } catch (error) {
    throw toOpenError(error, dataDir);
  }
}
