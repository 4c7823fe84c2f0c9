import { DomainError } from '../../http/domain-error.js';

/**
 * The engine rejected or stopped a read. As every plan is checked before, that is a bug or a broken
 * file.
 */
export class ReadFailedError extends Error {}

/** The engine has too little memory for a read, alone or beside others. */
export class ReadTooHeavyError extends DomainError {
  readonly kind = 'too_large';
  readonly code = 'read_too_heavy';

  constructor() {
    super(
      'Reading this takes more memory than the service may use for it (READER_MEMORY), ask for fewer rows or columns, or without sort_by',
    );
  }
}

/** The read process died; the read can be tried again. */
export class ReaderDiedError extends Error {
  constructor() {
    super('The read process died');
  }
}

/** The engine has written no byte of a read for too long. */
export class ReadStalledError extends Error {
  constructor() {
    super('The engine wrote no byte of a read within READ_TIMEOUT');
  }
}

/** No slot for a read became free in time. */
export class ReadersBusyError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'readers_busy';
  override readonly retryAfterSeconds: number;

  /** @param waitedMs how long the read has waited. */
  constructor(waitedMs: number) {
    super(
      'All readers that this account may use are busy: finish or close other downloads, or try again in a few seconds',
    );
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitedMs / 1000));
  }
}

/** The client of a read is gone: no answer is needed. */
export class ClientGoneError extends Error {
  constructor() {
    super('The client of the read is gone');
  }
}
