import { DomainError } from '../http/domain-error.js';

/** No key was given, or an invalid one: which is not disclosed. */
export class InvalidApiKeyError extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'invalid_api_key';
  override readonly details: Readonly<Record<string, string>>;

  /** @param brands of the headers that can carry a key, for a hint beside the text. */
  constructor(brands: readonly string[] = []) {
    super('invalid API Key');
    const headers = brands.map((brand) => `X-${brand.toUpperCase()}-API-KEY`).join(' or ');
    const hint = `Send an API key in the header ${headers}, or in the query parameter api_key`;
    this.details = headers ? { hint } : {};
  }
}

/** The key is valid, its scope too small for the call. */
export class ScopeMissingError extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'scope_missing';

  /** @param action what was tried, as in `execute queries`. */
  constructor(action: string) {
    super(`This API key may not ${action}`);
  }
}

/** The handle of a new account cannot be used. */
export class InvalidHandleError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'invalid_handle';
}

/** The handle of a new account belongs to another. */
export class HandleTakenError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'handle_taken';

  constructor(handle: string) {
    super(`There is an account ${handle} already: choose another handle`);
  }
}

/** No account has the handle that was named. */
export class AccountNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'account_not_found';

  constructor(handle: string) {
    super(`There is no account ${handle}: eider account list shows all`);
  }
}

/** No key has the id that was named. */
export class ApiKeyNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'api_key_not_found';

  constructor(id: string) {
    super(`There is no API key with the id ${id}: eider key list shows all`);
  }
}

/** A key has asked for more than it may in a minute. */
export class RateLimitError extends DomainError {
  readonly kind = 'too_many';
  readonly code = 'rate_limit';
  override readonly retryAfterSeconds: number;

  constructor(bucket: string, perMinute: number, seconds: number) {
    super(`This API key may ask for ${perMinute} ${bucket} a minute, try again later`);
    this.retryAfterSeconds = Math.ceil(seconds);
  }
}
