import { DomainError } from '../../http/domain-error.js';

/** The connection ended in the middle of a body. */
export class UploadInterruptedError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'upload_interrupted';

  constructor(options?: ErrorOptions) {
    super('The request body ended early, and nothing was stored: send the request again', options);
  }
}

/** A body with `Content-Encoding: gzip` cannot be decompressed. */
export class InvalidGzipError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'invalid_gzip';

  /** @param issue continues the sentence "The body …". */
  constructor(issue: string) {
    super(`The body ${issue}`);
  }
}

/** The data is not UTF-8 text but another format that is recognized. */
export class ForeignFormatError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'foreign_format';

  /**
   * @param source the subject of the sentence.
   * @param format the name of the format.
   * @param advice what the sender can do.
   */
  constructor(source: string, format: string, advice: string) {
    super(`${source} is ${format}: ${advice}`);
  }
}

/**
 * What an upload holds is refused. `details` say where, with whatever is known: `line` of the text
 * and `row` of data, counted from 1, name of the `column`, its `position` in the header or that of
 * a value in its record of CSV, and an excerpt of the `value`.
 */
export abstract class InvalidContentError extends DomainError {
  readonly kind = 'invalid';

  constructor(
    message: string,
    override readonly details: Readonly<Record<string, string | number>>,
  ) {
    super(message);
  }
}

/** The text is no CSV, or not one that tables are made from. */
export class InvalidCsvError extends InvalidContentError {
  readonly code = 'invalid_csv';
}

/** A line is no JSON object of plain values. */
export class InvalidNdjsonError extends InvalidContentError {
  readonly code = 'invalid_ndjson';
}

/** The name of a column cannot be used. */
export class InvalidColumnNameError extends InvalidContentError {
  readonly code = 'invalid_column_name';
}

/** A row does not fit the columns of the table. */
export class InvalidRowError extends InvalidContentError {
  readonly code = 'invalid_row';
}

/** Files that are to be linked cannot be read as a table. */
export class UnreadableFilesError extends InvalidContentError {
  readonly code = 'unreadable_files';
}

/** Turning an upload into a table needs more than the service gives to it. */
export class UploadTooHeavyError extends DomainError {
  readonly kind = 'too_large';
  readonly code = 'upload_too_heavy';

  constructor(resource: 'memory' | 'time') {
    super(`The upload needs more ${resource} than this service gives to one: split it into smaller ones`);
  }
}

/** An instance can be asked for its code only once it exists. */
const INVALID_CONTENT = {
  invalid_csv: InvalidCsvError,
  invalid_ndjson: InvalidNdjsonError,
  invalid_column_name: InvalidColumnNameError,
  invalid_row: InvalidRowError,
  unreadable_files: UnreadableFilesError,
} as const;

/** The error of a code. */
export function toInvalidContent(
  code: keyof typeof INVALID_CONTENT,
  message: string,
  details: InvalidContentError['details'],
): InvalidContentError {
  return new INVALID_CONTENT[code](message, details);
}
