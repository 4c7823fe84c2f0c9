import { isDiskFull } from '../http/disk-full.error.js';

/** SQLITE_IOERR (https://www.sqlite.org/rescode.html#ioerr); its refinements are in higher bytes. */
const SQLITE_IOERR = 10;

/** A sentence for the operator about a disk that is full or fails; nothing for any other error. */
export function describeDiskError(error: unknown): string | undefined {
  const { code, errcode, message } = Object(error) as { code?: unknown; errcode?: unknown; message?: unknown };
  if (isDiskFull(error)) return `The disk is full (${message}): free space, then try again`;
  const isFailing = code === 'EIO' || (typeof errcode === 'number' && (errcode & 0xff) === SQLITE_IOERR);
  if (!isFailing) return undefined;
  return `The disk fails (${message}): check the disk of DATA_DIR and the log of the system, then try again`;
}
