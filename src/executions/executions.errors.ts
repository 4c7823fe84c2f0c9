import { DomainError } from '../common/domain-error.js';

/** The text is no ULID. */
export class InvalidExecutionIdError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'invalid_execution_id';

  constructor(id: string) {
    super(`The requested execution ID (ID: ${id}) is invalid.`);
  }
}

/** No execution has the id, or it is another context's. */
export class ExecutionNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'execution_not_found';

  constructor(id: string) {
    super(`The requested execution ID (ID: ${id}) was not found.`);
  }
}

/** No stored result of the query that the caller may read. */
export class NoLatestResultError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'no_latest_result';

  constructor() {
    super('not found: No execution found for the latest version of the given query');
  }
}

/** As many executions wait as may. */
export class QueueFullError extends DomainError {
  readonly kind = 'too_many';
  readonly code = 'queue_full';
  override readonly retryAfterSeconds = 5;

  constructor() {
    super('Too many executions are waiting, try again in a few seconds');
  }
}
