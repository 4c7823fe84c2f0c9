import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';

/** The body of every failure, for the OpenAPI document. */
export class ErrorDocument {
  @ApiProperty({ description: 'One sentence: what is wrong, where, and what to do instead.' })
  error!: string;

  @ApiProperty({ description: 'Stable snake_case name of the failure; `docs/errors.md` lists them.' })
  code!: string;

  @ApiPropertyOptional({ type: 'integer', description: '0-based place in the text at fault, for grammar errors.' })
  offset?: number;

  @ApiPropertyOptional({ description: 'How to send an API key, if none was accepted.' })
  hint?: string;

  @ApiPropertyOptional({ description: 'Names the request in the logs, for failures of the service.' })
  request_id?: string;
}

/** A failure whose body has more keys than {@link ErrorDocument} alone. */
interface DetailedError {
  readonly status: number;
  readonly type: Type<ErrorDocument>;
}

const MEANING: Readonly<Record<number, string>> = {
  400: 'Something in the request is wrong; the sentence says what.',
  401: 'The key is missing, unknown, revoked or expired.',
  402: "The account's plan does not allow it.",
  403: 'The key or the account may not do this.',
  404: 'No such thing, or not for this account.',
  409: 'Not possible in the present state.',
  413: 'Too large.',
  415: 'The body is compressed.',
  429: 'Too many; try again after the seconds in `Retry-After`.',
  500: 'An internal error occurred.',
  503: 'The service is stopping, not ready, or has too much to do; try again after the seconds in `Retry-After`.',
  507: 'The disk of the service is full.',
};

const RETRY_AFTER = {
  description: 'Seconds after which a retry can succeed.',
  schema: { type: 'integer', minimum: 1 },
} as const;

/** By status. */
const HEADERS: Readonly<Record<number, NonNullable<ApiResponseOptions['headers']>>> = {
  429: { 'Retry-After': { required: true, ...RETRY_AFTER } },
  503: { 'Retry-After': { required: true, ...RETRY_AFTER } },
};

/** Documents the failures that a call can answer besides those that every call with a key has. */
export function ApiErrors(...errors: (number | DetailedError)[]): MethodDecorator {
  // The last use of a key is written at each call, which needs room on the disk.
  return applyDecorators(ApiFailures(...errors, 401, 429, 503, 507));
}

/** Documents the errors of a call that needs no key: those given, and that of a bug. */
export function ApiFailures(...errors: (number | DetailedError)[]): MethodDecorator {
  const failures = [...errors, 500].map((error) =>
    typeof error === 'number' ? { status: error, type: ErrorDocument } : error,
  );
  return applyDecorators(
    ...failures.map(({ status, type }) =>
      ApiResponse({
        status,
        type,
        description: MEANING[status] ?? '',
        ...(HEADERS[status] && { headers: HEADERS[status] }),
      }),
    ),
  );
}
