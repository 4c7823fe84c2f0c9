/** The engine refused or stopped a read: a bug or a broken file, as every plan is checked before. */
export class ReadFailedError extends Error {}

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
