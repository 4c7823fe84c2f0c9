import type { Plan } from '../auth/account.js';
import { formatSize } from '../config/units.js';
import { DomainError } from '../http/domain-error.js';
import { excerpt } from '../http/excerpt.js';

/** The text is no ULID. */
export class InvalidExecutionIdError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'invalid_execution_id';

  constructor(id: string) {
    super(`The requested execution ID (ID: ${excerpt(id)}) is invalid.`);
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
/** The execution can be seen, but another account ran it. */
export class ExecutionNotAllowedError extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'execution_not_allowed';

  constructor(action: 'delete') {
    super(`Not allowed to ${action} this execution`);
  }
}

/** The execution has no result to delete yet. */
export class ExecutionNotFinishedError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'execution_not_finished';

  constructor() {
    super('The execution has not ended: cancel it first, with POST /api/v1/execution/{execution_id}/cancel');
  }
}

/** The stored results of the account take all that its plan allows. */
export class ResultStorageFullError extends DomainError {
  readonly kind = 'payment_required';
  readonly code = 'result_storage_full';
  override readonly details: { bytes_used: number; bytes_allowed: number };

  /** @param larger the smallest plan with which the account could go on, if there is one. */
  constructor(
    { plan, bytes, allowed }: { plan: Plan; bytes: number; allowed: number },
    larger: { plan: Plan; allowed: number } | undefined,
  ) {
    const amount = larger && Number.isFinite(larger.allowed) ? formatSize(larger.allowed) : 'any amount';
    const way = larger ? `, or change to the plan ${larger.plan}, which allows ${amount}` : '; no plan allows more';
    super(
      `The stored results of this account take ${formatSize(bytes)} and the plan ${plan} allows ${formatSize(allowed)}: delete results with DELETE /api/v1/execution/{execution_id}${way}`,
    );
    this.details = { bytes_used: bytes, bytes_allowed: allowed };
  }
}

/** As many executions wait as may. */
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
