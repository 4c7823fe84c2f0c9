import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiResponse } from '@nestjs/swagger';

/** The body of every failure, for the OpenAPI document. */
export class ErrorDocument {
  @ApiProperty({ description: 'One sentence: what is wrong, where, and what to do instead.' })
  error!: string;

  @ApiPropertyOptional({ description: 'Stable snake_case name of the failure; `docs/errors.md` lists them.' })
  code?: string;

  @ApiPropertyOptional({ type: 'integer', description: '0-based place in the text at fault, for grammar errors.' })
  offset?: number;

  @ApiPropertyOptional({ description: 'Names the request in the logs, for failures of the service.' })
  request_id?: string;
}

const MEANING: Readonly<Record<number, string>> = {
  400: 'Something in the request is wrong; the sentence says what.',
  401: 'The key is missing, unknown, revoked or expired.',
  402: "The account's plan does not allow it.",
  403: 'The key or the account may not do this.',
  404: 'No such thing, or not for this account.',
  409: 'Not possible in the present state.',
  413: 'Too large.',
  429: 'Too many; try again after the seconds in `Retry-After`.',
  507: 'The disk of the service is full.',
};

/** Documents the failures that a call answers. */
export function ApiErrors(...statuses: number[]): MethodDecorator & ClassDecorator {
  const responses = [...statuses, 500].map((status) =>
    ApiResponse({ status, type: ErrorDocument, description: MEANING[status] ?? 'An internal error occurred.' }),
  );
  return applyDecorators(...responses);
}
