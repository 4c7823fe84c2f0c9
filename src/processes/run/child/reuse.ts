import { RefusedStatementError } from './gate/refused-statement-error.js';
import { StatementError } from './statement-error.js';

/** Errors of the engine that are the statement's own, and leave the process as it was. */
const OWN_ERRORS = new Set(['Parser', 'Binder', 'Catalog', 'Conversion', 'Invalid Input', 'Out of Range']);

/** A child that has just started has about 110 MB. */
const MAX_RESIDENT_BYTES = 256 * 2 ** 20;

/** The processor time of a process is limited; this leaves most of it to the next run. */
const MAX_CPU_MICROSECONDS = 30e6;

/** Whether a process can run another statement of its author after this error. */
export function isHarmless(error: unknown): boolean {
  if (error instanceof RefusedStatementError) return true;
  const { type } = error instanceof StatementError ? error : StatementError.from(error);
  return OWN_ERRORS.has(type);
}

/** Whether this process has too much memory, or has used too much of its processor time. */
export function isUsedUp(): boolean {
  const { user, system } = process.cpuUsage();
  return process.memoryUsage.rss() > MAX_RESIDENT_BYTES || user + system > MAX_CPU_MICROSECONDS;
}
