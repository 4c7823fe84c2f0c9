/** What went wrong, in the caller's terms; `error.filter.ts` gives each kind its HTTP status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'payment_required'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported'
  | 'too_many'
  | 'unavailable'
  | 'no_room';

/**
 * An error that a caller can understand and act on. Everything else that is thrown is a bug and is
 * answered 500. The message is for the caller: what is wrong, what was expected, what to do. It has
 * no key, no path of this server and no names of other accounts.
 */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;

  /** Stable snake_case name of the failure, listed in `docs/errors.md`. */
  abstract readonly code: string;

  /** 0-based offset in the text of a parameter, for grammar errors. */
  readonly offset?: number;

  /** Seconds after which a retry can succeed, for `too_many` and `unavailable`. */
  readonly retryAfterSeconds?: number;

  /** Methods that the path has, for `method_not_allowed`. */
  readonly allowedMethods?: readonly string[];

  /** Further machine-readable keys of the error body, with their wire names. */
  readonly details?: Readonly<Record<string, string | number | readonly string[]>>;
}
