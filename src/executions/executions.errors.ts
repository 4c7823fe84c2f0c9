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

/** An account has as many executions waiting as it may. */
export class AccountQueueFullError extends DomainError {
  readonly kind = 'too_many';
  readonly code = 'account_queue_full';
  override readonly retryAfterSeconds = 5;

  constructor(maxWaiting: number) {
    super(
      `The account has ${maxWaiting} executions waiting, and may not have more (MAX_QUEUED_PER_ACCOUNT): cancel one, or try again later`,
    );
  }
}

/** All accounts together have as many executions waiting as they may. */
export class QueueFullError extends DomainError {
  readonly kind = 'too_many';
  readonly code = 'queue_full';
  override readonly retryAfterSeconds = 5;

  constructor(maxWaiting: number) {
    super(
      `The service has ${maxWaiting} executions waiting, and accepts no more (MAX_QUEUED): try again in a few seconds`,
    );
  }
}
