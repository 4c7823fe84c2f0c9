import { DomainError } from '../http/domain-error.js';
import { excerpt } from '../http/excerpt.js';
import type { TextSpan } from './text-span.js';

/** The text is no query id: a positive integer. */
export class InvalidQueryIdError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'invalid_query_id';

  constructor(id: string) {
    super(`The requested query ID (ID: ${excerpt(id)}) is invalid.`);
  }
}

/** No query has the id, or it is private and another context's. */
export class QueryNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'query_not_found';

  constructor() {
    super('Query not found');
  }
}

/** The query is archived, or another context's to alter. */
export class QueryNotAllowedError extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'query_not_allowed';

  constructor(action: 'execute' | 'alter') {
    super(`Not allowed to ${action} this query`);
  }
}

/** Values were given for parameters that the query does not have. */
export class UnknownParametersError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'unknown_parameters';

  constructor(keys: readonly string[]) {
    super(`unknown parameters (${keys.map(excerpt).join(', ')})`);
  }
}

/** A parameter is declared wrongly, or has a value that it cannot have, or none. */
export class InvalidParameterError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'invalid_parameter';

  constructor(key: string, issue: string) {
    super(`parameter ${key}: ${issue}`);
  }
}

/** The text cannot be run once its parameters are put in. */
export class UnusableSqlError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'unusable_sql';
}

/** The text of a query is not SQL. */
export class SqlSyntaxError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'sql_syntax';
  override readonly offset: number | undefined;
  override readonly details: Readonly<Record<string, string | number>>;

  /** @param span in the saved text; absent where the engine does not report it. */
  constructor(reason: string, span?: TextSpan) {
    super(span ? `query_sql: ${reason}, at line ${span.line}, column ${span.column}` : `query_sql: ${reason}`);
    const { offset, ...details } = span ?? {};
    this.details = details;
    this.offset = offset;
  }
}
