import type { Fault } from '../../ingest-messages.js';
import { ContentFault } from '../content-fault.js';

/** A file that is linked, or is to be linked, cannot be read as it must be. */
export class FileFault extends Error {
  /** @param place the file as the operator names it: from the folder of LINK_ROOTS on. */
  constructor(
    readonly place: string,
    readonly reason: string,
    readonly details: Readonly<Record<string, string | number>> = {},
    /** Of a fault that uploads have as well. */
    readonly code?: Fault['code'],
  ) {
    super(`The file ${place} cannot be read: ${reason}`);
  }

  /** The fault of a file, if the error is about its content or about opening it; the error itself otherwise. */
  static from(error: unknown, place: string): unknown {
    if (error instanceof ContentFault)
      return new FileFault(place, error.fault.message, error.fault.details, error.fault.code);
    const { code, syscall } = error as NodeJS.ErrnoException;
    return syscall === undefined ? error : new FileFault(place, `it cannot be read (${code})`);
  }
}

/** A file was not the same at the end of a scan as at its beginning. */
export class ChangedFileFault extends FileFault {
  constructor(place: string) {
    super(place, 'it was changed while it was read');
  }
}
