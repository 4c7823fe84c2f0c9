import type { ChildExit } from './child.js';

/** A child process ended, or kept silent for too long, before it was ready for work. */
export class ChildNotReadyError extends Error {
  constructor(readonly exit: ChildExit | undefined) {
    super(`A child process did not become ready: ${exit ? describeExit(exit) : 'it kept silent for too long'}`);
  }
}

/** How a child ended, in words for the log. */
export function describeExit(exit: ChildExit): string {
  if (exit.error) return exit.error.message;
  const how = exit.signal ? `killed by ${exit.signal}` : `exit code ${exit.code}`;
  return exit.stderr ? `${how}: ${exit.stderr.trim()}` : how;
}
