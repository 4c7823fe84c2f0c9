import { OperatorError } from '../config/operator-error.js';

/** A folder that is no complete backup. */
export class NoBackupError extends OperatorError {
  /** @param newest name of the newest backup in the folder, if it has backups in it. */
  constructor(folder: string, newest?: string) {
    super(
      newest === undefined
        ? `${folder} is no complete backup: it has no manifest.json. An interrupted backup cannot be used: choose another one`
        : `${folder} is a folder of backups: choose one of them, such as ${folder}/${newest}, which is the newest`,
    );
  }
}

/** The manifest of a backup cannot be used. */
export class ManifestError extends OperatorError {
  constructor(folder: string, reason: string) {
    super(`The manifest.json of the backup ${folder} ${reason}`);
  }
}

/** The same folder is the target of two backups at the same time. */
export class BackupInProgressError extends OperatorError {
  constructor(folder: string) {
    super(`Another backup is being written to ${folder}: wait for its end, or choose another folder`);
  }
}

/** The target of a backup is in the data folder. */
export class BackupInDataFolderError extends OperatorError {
  constructor(folder: string) {
    super(
      `${folder} lies in the data folder (DATA_DIR), and would be lost with it: ` +
        'choose a folder elsewhere, on another disk if possible',
    );
  }
}

/** Results and tables are deleted faster than a backup can follow. */
export class CatalogChangedError extends OperatorError {
  constructor() {
    super('Results and tables were deleted while the backup was written, again and again: repeat it at a quieter time');
  }
}

/** Files of a backup that are missing or changed. */
export class DamagedBackupError extends OperatorError {
  constructor(folder: string, problems: readonly string[]) {
    const [first] = problems;
    const more = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
    super(
      `The backup ${folder} is damaged (${first}${more}), and nothing was restored: ` +
        'eider backup --verify lists all; restore another backup',
    );
  }
}

/** The target of a restore holds something. */
export class RestoreTargetError extends OperatorError {
  constructor(dataDir: string) {
    super(
      `The data folder ${dataDir} is not empty: a backup is restored only into a folder that is absent or empty, ` +
        'so that nothing is overwritten. Choose another one with --data-dir, or move its files away',
    );
  }
}

/** The operator has interrupted the command. */
export class InterruptedError extends OperatorError {
  constructor() {
    super('Interrupted: what was written has been removed');
  }
}

/** Names what cannot be written or read, and why; any other error is returned as it is. */
export function toFolderError(error: unknown, folder: string): unknown {
  const { code = '', errcode, path = folder } = error as { code?: string; errcode?: number; path?: string };
  const reason = REASONS[errcode === undefined ? code : `SQLITE_${errcode}`];
  if (reason === undefined) return error;
  // Of a copy, the path is that of the source, whatever went wrong.
  const sentence =
    reason === DENIED && !path.startsWith(folder)
      ? `Cannot read ${path}: run this command as the user of the service`
      : `Cannot write to ${folder}: ${reason}`;
  return new OperatorError(sentence, { cause: error });
}

const FULL = 'its disk is full, and nothing of this was kept. Free space, or choose a folder on another disk';
const DENIED = 'this user may not. Choose another folder, or change its owner';

/**
 * By the codes of Node, and by the result codes of SQLite (https://www.sqlite.org/rescode.html).
 */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  SQLITE_13: FULL,
  EACCES: DENIED,
  EPERM: DENIED,
  SQLITE_8: DENIED,
  SQLITE_14: DENIED,
  EROFS: 'it is read-only. Choose another folder',
  EEXIST: 'it is a file. Choose a folder',
  ENOTDIR: 'it is or lies in a file. Choose a folder',
};
