import { formatSize } from '../config/units.js';
import { DomainError } from '../http/domain-error.js';

/** CSV has no place to say that there is no result. */
export class NoCsvResultError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'no_result';
  override readonly details: { state: string };

  constructor(state: string) {
    super(`Query state is ${state}, cannot provide CSV result`);
    this.details = { state };
  }
}

/** The result was cut in storage, and the caller did not say that this is fine. */
export class PartialResultError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'partial_result';

  constructor() {
    super("Partial Result, please request with 'allows_partial_results=true'");
  }
}

/** One row alone is more text than a page may be. */
export class RowTooLargeError extends DomainError {
  readonly kind = 'too_large';
  readonly code = 'row_too_large';

  /** @param offset the row's place among those asked for, counted from 0. */
  constructor(offset: number, maxBytes: number) {
    super(
      `The row at offset ${offset} is larger than a page may be (${formatSize(maxBytes)}), ask for fewer columns or for the whole result as CSV`,
    );
  }
}

/** A sample has no further pages, so that it cannot be cut. */
export class SampleTooLargeError extends DomainError {
  readonly kind = 'too_large';
  readonly code = 'sample_too_large';

  constructor(maxBytes: number) {
    super(
      `The sample is larger than a page may be (${formatSize(maxBytes)}), ask for fewer rows or columns, or for CSV`,
    );
  }
}
