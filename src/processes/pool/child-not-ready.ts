import type { ChildExit } from './child.js';

/** A child process ended, or kept silent for too long, before it was ready for work. */
export class ChildNotReadyError extends Error {
  constructor(readonly exit: ChildExit | undefined) {
    super(`A child process did not become ready: ${exit ? describeExit(exit) : 'it kept silent for too long'}`);
  }
}

/** How a child ended, in words for the log, none of which are its own. */
export function describeExit({ code, signal, cause, error }: ChildExit): string {
  if (error) return `it could not be started: ${(error as NodeJS.ErrnoException).code ?? error.name}`;
  const how = signal ? `killed by ${signal}` : `exit code ${code}`;
  return cause === undefined ? how : `${how}, ${cause}`;
}
