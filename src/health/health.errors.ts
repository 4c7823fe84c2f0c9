import { DomainError } from '../http/domain-error.js';

/** Why a service is not ready. */
export const NOT_READY_CAUSES = ['draining', 'disk_full', 'catalog_failed', 'no_process'] as const;

/** One of {@link NOT_READY_CAUSES}. */
export type NotReadyCause = (typeof NOT_READY_CAUSES)[number];

/** A cause, and what is wrong: a part of a sentence. */
export interface NotReadyIssue {
  readonly cause: NotReadyCause;
  readonly text: string;
}

/** The service cannot do its work now. */
export class NotReadyError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'not_ready';
  override readonly retryAfterSeconds = 5;
  override readonly details: { readonly causes: readonly NotReadyCause[] };

  constructor(issues: readonly NotReadyIssue[]) {
    super(`The service is not ready: ${issues.map(({ text }) => text).join('; ')}`);
    this.details = { causes: issues.map(({ cause }) => cause) };
  }
}
