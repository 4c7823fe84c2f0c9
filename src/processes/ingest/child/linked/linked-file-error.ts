import type { ContentIssue } from '../../ingest-messages.js';
import { ContentError } from '../content-error.js';

/** A file that is linked, or is to be linked, cannot be read as it must be. */
export class LinkedFileError extends Error {
  /** @param relativePath the file as the operator names it: from the folder of LINK_ROOTS on. */
  constructor(
    readonly relativePath: string,
    readonly reason: string,
    readonly details: Readonly<Record<string, string | number>> = {},
    /** Of an error that uploads have as well. */
    readonly code?: ContentIssue['code'],
  ) {
    super(`The file ${relativePath} cannot be read: ${reason}`);
  }

  /** The error of a file, if it is about its content or about opening it; else the error itself. */
  static from(error: unknown, relativePath: string): unknown {
    if (error instanceof ContentError)
      return new LinkedFileError(relativePath, error.issue.message, error.issue.details, error.issue.code);
    const { code, syscall } = error as NodeJS.ErrnoException;
    return syscall === undefined ? error : new LinkedFileError(relativePath, `it cannot be read (${code})`);
  }
}

/** A file was not the same at the end of a scan as at its beginning. */
export class ChangedFileError extends LinkedFileError {
  constructor(relativePath: string) {
    super(relativePath, 'it was changed while it was read');
  }
}
