/** How a child ended: by an exit code, by a signal, or with `error` if it could not be started. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What it wrote to stderr, by a word of {@link exitCause}: the text itself is not kept. */
  readonly cause?: string;
  readonly error?: Error;
  /** The watchdog killed it because it exceeded its `residentBytes`. */
  readonly isOverMemory?: true;
}

/** A child process ended, or sent nothing for too long, before it was ready for work. */
export class ChildNotReadyError extends Error {
  constructor(exit: ChildExit | undefined) {
    super(`A child process did not become ready: ${exit ? describeExit(exit) : 'it sent nothing for too long'}`);
  }
}

/** A child process ended while it was at work. */
export class ChildEndedError extends Error {
  constructor(readonly exit: ChildExit) {
    super(`The process ended: ${describeExit(exit)}`);
  }
}

/** How a child ended, for the log. The words are from a fixed list, never those of the process. */
export function describeExit({ code, signal, cause, error }: ChildExit): string {
  if (error) return `it could not be started: ${(error as NodeJS.ErrnoException).code ?? error.name}`;
  const how = signal ? `killed by ${signal}` : `exit code ${code}`;
  return cause === undefined ? how : `${how}, ${cause}`;
}
