import { DomainError } from '../http/domain-error.js';
import { excerpt } from '../http/excerpt.js';

/** The query parameters that a read plan is parsed from, by their wire names. */
export type ReadParameter = 'limit' | 'offset' | 'filters' | 'columns' | 'sort_by' | 'sample_count' | 'sample_seed';

/** The `filters` text does not follow the grammar. */
export class FilterSyntaxError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'filter_syntax';

  /** @param offset where in the text the problem starts, in UTF-16 code units, counted from 0. */
  constructor(
    reason: string,
    override readonly offset: number,
  ) {
    super(`filters: ${reason}, at character ${offset + 1}`);
  }
}

/** The `filters` text is longer, deeper or wider than allowed. */
export class FilterLimitError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'filter_limit';

  /** @param offset where the limit is passed, in UTF-16 code units, counted from 0. */
  constructor(
    reason: string,
    override readonly offset: number,
  ) {
    super(`filters: ${reason}, at character ${offset + 1}`);
  }
}

/** The `sort_by` text does not follow the grammar. */
export class SortSyntaxError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'sort_syntax';

  /** @param offset where in the text the problem starts, in UTF-16 code units, counted from 0. */
  constructor(
    reason: string,
    override readonly offset: number,
  ) {
    super(`sort_by: ${reason}, at character ${offset + 1}`);
  }
}

/** The `columns` text is not a list of names. */
export class ColumnsSyntaxError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'columns_syntax';

  /** @param offset where in the text the problem starts, in UTF-16 code units, counted from 0. */
  constructor(
    reason: string,
    override readonly offset: number,
  ) {
    super(`columns: ${reason}, at character ${offset + 1}`);
  }
}

/** `columns` names the same column twice. */
export class DuplicateColumnError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'duplicate_column';

  constructor(name: string) {
    super(`columns: "${excerpt(name)}" is asked for twice, name each column once`);
  }
}

/** `limit` or `offset` is not a row count. */
export class InvalidPageError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'invalid_page';

  constructor(parameter: ReadParameter, written: string) {
    super(`${parameter}: must be a whole number of at least 0, got '${excerpt(written)}'`);
  }
}

/** `sample_count` or `sample_seed` is not a number of its kind. */
export class InvalidSampleError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'invalid_sample';

  /** @param expected what it must be, such as `a whole number`. */
  constructor(parameter: ReadParameter, expected: string, written: string) {
    super(`${parameter}: must be ${expected}, got '${excerpt(written)}'`);
  }
}

/** `csv_null` cannot stand for NULL in a CSV field. */
export class InvalidCsvNullError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'invalid_csv_null';

  constructor(maxLength: number) {
    super(
      `csv_null: must be at most ${maxLength} characters, without commas, double quotes, control characters, and white space at its ends`,
    );
  }
}

/** `sample_count` stands beside a parameter that it excludes. */
export class SampleCombinationError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'sample_combination';

  constructor(parameters: readonly ReadParameter[]) {
    super(`sample_count cannot be combined with ${parameters.join(', ')}`);
  }
}

/** A parameter names a column that the result does not have. */
export class UnknownColumnError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'unknown_column';

  /** @param nearest names of the result to suggest, nearest first. */
  constructor(parameter: ReadParameter, name: string, nearest: readonly string[]) {
    const suggestions = nearest.map((suggestion) => `"${excerpt(suggestion)}"`).join(', ');
    super(`${parameter}: there is no column "${excerpt(name)}", the nearest names are ${suggestions}`);
  }
}

/** A parameter names a column in letters of another case, and several columns differ only in that. */
export class AmbiguousColumnError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'ambiguous_column';

  constructor(parameter: ReadParameter, name: string, candidates: readonly string[]) {
    const names = candidates.map((candidate) => `"${excerpt(candidate)}"`).join(', ');
    super(`${parameter}: "${excerpt(name)}" can mean ${names}, write the name exactly`);
  }
}

/** A literal or an operator does not fit the type of its column. */
export class LiteralTypeError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'literal_type';

  /** @param expected what the column takes, such as `a number`. */
  constructor(column: { readonly name: string; readonly typeName: string }, expected: string, written: string) {
    super(
      `filters: column "${excerpt(column.name)}" has type ${column.typeName} and takes ${expected}, got ${written}`,
    );
  }
}
