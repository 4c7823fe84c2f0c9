import { DomainError } from '../../common/domain-error.js';

/** The engine refused or stopped a read: a bug or a broken file, as every plan is checked before. */
export class ReadFailedError extends Error {}

/** The engine has not enough memory for a read, by itself or beside others. */
export class ReadTooHeavyError extends DomainError {
  readonly kind = 'too_large';
  readonly code = 'read_too_heavy';

  constructor() {
    super(
      'Reading this takes more memory than the service may use for it (READER_MEMORY), ask for fewer rows or columns, or without sort_by',
    );
  }
}

/** The reading process died; the read can be tried again. */
export class ReaderLostError extends Error {
  constructor() {
    super('The reading process died');
  }
}

/** The service is stopping. */
export class ReaderClosedError extends Error {
  constructor() {
    super('The service is stopping');
  }
}

/** No byte of a read has passed for too long. */
export class ReadStalledError extends Error {
  constructor() {
    super('The read stood still for too long');
  }
}
