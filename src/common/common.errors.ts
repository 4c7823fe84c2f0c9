import { DomainError } from './domain-error.js';

/** A parameter or a body field does not have the shape that the call needs. */
export class InvalidRequestError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'invalid_request';
}

/** The body is not JSON, or not a JSON object. */
export class UnreadableBodyError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'unreadable_body';

  constructor() {
    super('Invalid request body payload');
  }
}

/** The body is larger than the call takes. */
export class BodyTooLargeError extends DomainError {
  readonly kind = 'too_large';
  readonly code = 'body_too_large';

  constructor(limitText: string) {
    super(`The request body may be at most ${limitText}`);
  }
}
