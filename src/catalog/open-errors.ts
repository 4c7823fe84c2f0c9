import { OperatorError } from '../config/operator-error.js';
import { errorCodeOf } from './sqlite/sqlite-file.js';

/** Explains why a data folder or its catalog is unusable; returns any other error unchanged. */
export function toOpenError(error: unknown, dataDir: string): unknown {
  const sentence =
    sentenceForFile((error as NodeJS.ErrnoException).code, dataDir) ?? sentenceForCatalog(error, dataDir);
  return sentence === undefined ? error : new OperatorError(sentence, { cause: error });
}

/** The catalog holds changes that this program does not know. */
export class NewerCatalogError extends OperatorError {
  constructor(migration: string) {
    super(
      `The catalog in DATA_DIR was written by a newer version of Eider (its change ${migration} is not known here): ` +
        'run that version, or restore a backup from before the upgrade',
    );
  }
}

/** The catalog lacks changes that this program needs, and the command does not apply them. */
export class OlderCatalogError extends OperatorError {
  constructor(pending: readonly string[]) {
    const changes = pending.length === 1 ? '1 change' : `${pending.length} changes`;
    super(
      `The catalog in DATA_DIR was written by an older version of Eider and lacks ${changes} (the first is ${pending[0]}): ` +
        'make a backup (eider backup), then apply them with eider migrate, or by starting the service',
    );
  }
}

/** A command needs a data folder that the service has made. */
export class NoDataFolderError extends OperatorError {
  constructor(dataDir: string) {
    super(
      `There is no data folder ${dataDir}: start the service once (eider serve), or set DATA_DIR to the folder that it serves`,
    );
  }
}

/** A command needs a catalog, and the data folder has none yet. */
export class NoCatalogError extends OperatorError {
  constructor(dataDir: string) {
    super(
      `There is no catalog (catalog.db) in the data folder ${dataDir}: start the service once (eider serve), ` +
        'or set DATA_DIR to the folder that it serves',
    );
  }
}

function sentenceForFile(code: string | undefined, dataDir: string): string | undefined {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return notWritable(dataDir);
    case 'EEXIST':
    case 'ENOTDIR':
      return `DATA_DIR must be a folder, and ${dataDir} is or lies in a file: set DATA_DIR to a folder`;
    case 'ENOSPC':
      return `The disk of DATA_DIR (${dataDir}) is full: free space, or set DATA_DIR to a folder on another disk`;
    default:
      return undefined;
  }
}

/** By SQLite's primary result codes (https://www.sqlite.org/rescode.html). */
function sentenceForCatalog(error: unknown, dataDir: string): string | undefined {
  const code = errorCodeOf(error);
  switch (typeof code === 'number' ? code & 0xff : undefined) {
    case 11:
    case 26:
      return 'The catalog (catalog.db in DATA_DIR) is damaged: restore it from a backup, with its -wal file if there is one';
    case 3:
    case 8:
    case 14:
      return notWritable(dataDir);
    default:
      return undefined;
  }
}

function notWritable(dataDir: string): string {
  return `This user cannot write the data folder ${dataDir}: make it and its files the user's own, or set DATA_DIR to another folder`;
}
