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

  constructor(options?: ErrorOptions) {
    super('Invalid request body payload', options);
  }
}

/** The body is larger than the call takes. */
export class BodyTooLargeError extends DomainError {
  readonly kind = 'too_large';
  readonly code = 'body_too_large';

  constructor(limitText: string, { isDecompressed = false } = {}) {
    super(`The request body may be at most ${limitText}${isDecompressed ? ', decompressed' : ''}`);
  }
}

/** The body has a Content-Encoding that the call does not take. */
export class EncodedBodyError extends DomainError {
  readonly kind = 'unsupported';
  readonly code = 'encoded_body';

  private constructor(message: string) {
    super(message);
  }

  /** For a call that takes no Content-Encoding. */
  static ofAny(): EncodedBodyError {
    return new EncodedBodyError(
      'Compressed request bodies are not supported: send the body as it is, without Content-Encoding',
    );
  }

  /** For a call that takes gzip. */
  static otherThanGzip(): EncodedBodyError {
    return new EncodedBodyError('The only Content-Encoding that this call supports is gzip');
  }
}

/** The service is stopping: it answers what is in flight, and nothing new. */
export class StoppingError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'stopping';
  override readonly retryAfterSeconds = 5;

  constructor() {
    super('The service is stopping and accepts no new requests: try again in a few seconds');
  }
}

/** The service has as many connections as it may have. */
export class TooManyConnectionsError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'too_many_connections';
  override readonly retryAfterSeconds = 1;

  constructor() {
    super('The service has too many open connections (MAX_CONNECTIONS): close some, or try again in a few seconds');
  }
}

/** The path exists, but not with the method of the request. */
export class MethodNotAllowedError extends DomainError {
  readonly kind = 'method_not_allowed';
  readonly code = 'method_not_allowed';

  constructor(
    method: string,
    override readonly allowedMethods: readonly string[],
  ) {
    super(`This path does not support the method ${method}, use ${allowedMethods.join(' or ')}`);
  }
}
