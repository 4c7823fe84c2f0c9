import { DomainError } from '../http/domain-error.js';
import { excerpt } from '../http/excerpt.js';

/** The query parameters of a read, by their wire names. */
export type ReadParameter =
  | 'limit'
  | 'offset'
  | 'filters'
  | 'columns'
  | 'sort_by'
  | 'sample_count'
  | 'sample_seed'
  | 'csv_null';

/** A parameter of a read is wrong. */
export abstract class ReadParameterError extends DomainError {
  readonly kind = 'invalid';

  constructor(parameter: ReadParameter, reason: string) {
    super(`${parameter}: ${reason}`);
  }
}

/** A text is wrong at an offset, in UTF-16 code units, counted from 0. */
export abstract class ReadTextError extends DomainError {
  readonly kind = 'invalid';
  protected static readonly parameter: ReadParameter = 'filters';

  constructor(
    reason: string,
    override readonly offset: number,
  ) {
    super(`${new.target.parameter}: ${reason}, at character ${offset + 1}`);
  }
}

/** The `filters` text does not follow the grammar. */
export class FilterSyntaxError extends ReadTextError {
  readonly code = 'filter_syntax';
}

/** The `filters` text is longer, deeper or wider than allowed. */
export class FilterLimitError extends ReadTextError {
  readonly code = 'filter_limit';
}

/** The `sort_by` text does not follow the grammar. */
export class SortSyntaxError extends ReadTextError {
  protected static override readonly parameter = 'sort_by';
  readonly code = 'sort_syntax';
}

/** The `columns` text is not a list of names. */
export class ColumnsSyntaxError extends ReadTextError {
  protected static override readonly parameter = 'columns';
  readonly code = 'columns_syntax';
}

/** `columns` names the same column twice. */
export class DuplicateColumnError extends ReadParameterError {
  readonly code = 'duplicate_column';

  constructor(name: string) {
    super('columns', `"${excerpt(name)}" is asked for twice, name each column once`);
  }
}

/** `limit` or `offset` is not a row count. */
export class InvalidPageError extends ReadParameterError {
  readonly code = 'invalid_page';

  constructor(parameter: ReadParameter, written: string) {
    super(parameter, `must be a whole number of at least 0, got '${excerpt(written)}'`);
  }
}

/** `sample_count` or `sample_seed` is not a number of its kind. */
export class InvalidSampleError extends ReadParameterError {
  readonly code = 'invalid_sample';

  /** @param expected what it must be, such as `a whole number`. */
  constructor(parameter: ReadParameter, expected: string, written: string) {
    super(parameter, `must be ${expected}, got '${excerpt(written)}'`);
  }
}

/** `csv_null` cannot stand for NULL in a CSV field. */
export class InvalidCsvNullError extends ReadParameterError {
  readonly code = 'invalid_csv_null';

  constructor(maxLength: number) {
    const excluded = 'without commas, double quotes, control characters, and white space at its ends';
    super('csv_null', `must be at most ${maxLength} characters, ${excluded}`);
  }
}

/** `sample_count` is combined with a parameter that it excludes. */
export class SampleCombinationError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'sample_combination';

  constructor(parameters: readonly ReadParameter[]) {
    super(`sample_count cannot be combined with ${parameters.join(', ')}`);
  }
}

/** A parameter names a column that the result does not have. */
export class UnknownColumnError extends ReadParameterError {
  readonly code = 'unknown_column';

  /** @param nearest names of the result to suggest, nearest first. */
  constructor(parameter: ReadParameter, name: string, nearest: readonly string[]) {
    super(parameter, `there is no column "${excerpt(name)}", the nearest names are ${quotedList(nearest)}`);
  }
}

/** A parameter names a column in another case, and several columns differ only in that. */
export class AmbiguousColumnError extends ReadParameterError {
  readonly code = 'ambiguous_column';

  constructor(parameter: ReadParameter, name: string, candidates: readonly string[]) {
    super(parameter, `"${excerpt(name)}" can mean ${quotedList(candidates)}, write the name exactly`);
  }
}

/** A literal or an operator does not fit the type of its column. */
export class LiteralTypeError extends ReadParameterError {
  readonly code = 'literal_type';

  /** @param expected what the column takes, such as `a number`. */
  constructor(name: string, typeName: string, expected: string, written: string) {
    super('filters', `column "${excerpt(name)}" has type ${typeName} and takes ${expected}, got ${written}`);
  }
}

function quotedList(names: readonly string[]): string {
  return names.map((name) => `"${excerpt(name)}"`).join(', ');
}
