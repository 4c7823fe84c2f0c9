import { ChildNotReadyError } from '../pool/child-not-ready.js';
import { BrokenResultFileError } from './check-result-file.js';

/**
 * Why the server could not go on with a run, for the log: what the system says of files holds their paths, and any other message can hold
 * values of the run, so that only codes and names of errors are logged.
 */
export function lossReason(error: unknown): string {
  if (error instanceof ChildNotReadyError || error instanceof BrokenResultFileError) return error.message;
  const { code, syscall, name } = Object(error) as NodeJS.ErrnoException;
  if (code !== undefined) return `${syscall ?? 'a call'} failed with ${code}`;
  return typeof name === 'string' ? `an unexpected ${name}` : 'an unexpected error';
}
