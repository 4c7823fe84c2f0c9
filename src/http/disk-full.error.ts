import { DomainError } from './domain-error.js';

/** What is to be written does not fit on the disk of the service. */
export class DiskFullError extends DomainError {
  readonly kind = 'no_room';
  readonly code = 'disk_full';

  constructor() {
    super('The service has no disk space left for this: ask its operator to free some, then try again');
  }
}

/** By the code of the operating system: the disk is full, or the user's share of it. */
const SYSTEM_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
/** SQLITE_FULL (https://www.sqlite.org/rescode.html#full). */
const SQLITE_FULL = 13;

/** Whether the file system, SQLite or the engine threw an error because a disk is full. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode, type, message } = Object(error) as Record<'code' | 'errcode' | 'type' | 'message', unknown>;
  const isFromEngine = type === 'IO' && /No space left on device/.test(String(message));
  return SYSTEM_CODES.has(code) || errcode === SQLITE_FULL || isFromEngine;
}
