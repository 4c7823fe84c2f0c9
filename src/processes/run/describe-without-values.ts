import { ChildNotReadyError } from '../pool/child-exit.js';
import { BrokenResultFileError } from './check-result-file.js';

/**
 * Describes, for the log, an error that ended a run, without values of the run and paths of the
 * server: only codes and names of errors, and messages of which the words are known.
 */
export function describeWithoutValues(error: unknown): string {
  if (error instanceof ChildNotReadyError || error instanceof BrokenResultFileError) return error.message;
  const { code, syscall, name } = Object(error) as NodeJS.ErrnoException;
  if (code !== undefined) return `${syscall ?? 'a call'} failed with ${code}`;
  return typeof name === 'string' ? `an unexpected ${name}` : 'an unexpected error';
}
