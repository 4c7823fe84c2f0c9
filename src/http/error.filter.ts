import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, HttpStatus, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DiskFullError, isDiskFull } from './disk-full.error.js';
import { DomainError, type ErrorKind } from './domain-error.js';

const MAX_MESSAGE_LENGTH = 2_000;

const STATUS: Record<ErrorKind, HttpStatus> = {
  invalid: HttpStatus.BAD_REQUEST,
  unauthenticated: HttpStatus.UNAUTHORIZED,
  payment_required: HttpStatus.PAYMENT_REQUIRED,
  forbidden: HttpStatus.FORBIDDEN,
  not_found: HttpStatus.NOT_FOUND,
  method_not_allowed: HttpStatus.METHOD_NOT_ALLOWED,
  conflict: HttpStatus.CONFLICT,
  too_large: HttpStatus.PAYLOAD_TOO_LARGE,
  unsupported: HttpStatus.UNSUPPORTED_MEDIA_TYPE,
  too_many: HttpStatus.TOO_MANY_REQUESTS,
  unavailable: HttpStatus.SERVICE_UNAVAILABLE,
  no_room: HttpStatus.INSUFFICIENT_STORAGE,
};

/** The body of every failure (`docs/contract.md`, "Ground rules"): `error` is one sentence. */
export interface ErrorBody {
  error: string;
  code: string;
  offset?: number;
  request_id?: string;
  [detail: string]: string | number | readonly string[] | undefined;
}

/** A failure as it is answered. */
interface ErrorReply {
  status: number;
  body: ErrorBody;
  headers?: Readonly<Record<string, string>>;
}

/** Answers every error with the one error body, and logs what is no {@link DomainError}. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Error');

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const answer = toErrorReply(error, String(request.id));
    if (answer.status === HttpStatus.INTERNAL_SERVER_ERROR)
      this.logger.error({ err: error, request_id: request.id }, 'Unexpected failure');
    if (answer.status === HttpStatus.INSUFFICIENT_STORAGE)
      this.logger.error({ request_id: request.id }, 'The disk is full');
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    dropSuccessHeaders(reply);
    reply.headers(answer.headers ?? {});
    reply.status(answer.status).type('application/json; charset=utf-8').send(JSON.stringify(answer.body));
  }
}

/** Headers that describe the body of a success, its encoding, its caching or its next page. */
const SUCCESS_HEADER =
  /^(?:content-(?:type|encoding|length|disposition|language|location|range)|transfer-encoding|etag|last-modified|cache-control|expires|accept-ranges|x-.+-next-(?:offset|uri))$/;

/** A stream can fail after the headers of its success were set, but before they were sent. */
function dropSuccessHeaders(reply: FastifyReply): void {
  for (const name of Object.keys(reply.getHeaders())) {
    if (SUCCESS_HEADER.test(name)) reply.removeHeader(name);
  }
}

/** Turns anything thrown into a status and a body. */
export function toErrorReply(error: unknown, requestId: string): ErrorReply {
  if (error instanceof DomainError) {
    const { message, code, offset, details } = error;
    return {
      status: STATUS[error.kind],
      body: { error: bounded(message), code, ...details, offset },
      headers: headersOf(error),
    };
  }
  if (isDiskFull(error)) return toErrorReply(new DiskFullError(), requestId);
  const status = statusOf(error);
  if (status === HttpStatus.NOT_FOUND) return { status, body: { error: 'No such path', code: 'route_not_found' } };
  if (status === HttpStatus.PAYLOAD_TOO_LARGE)
    return { status, body: { error: 'The request is too large', code: 'body_too_large' } };
  if (status >= 400 && status < 500)
    return { status, body: { error: 'The request is malformed', code: 'malformed_request' } };
  const body = { error: 'An internal error occurred', code: 'internal', request_id: requestId };
  return { status: HttpStatus.INTERNAL_SERVER_ERROR, body };
}

/** A sentence can name many things of a request. */
function bounded(message: string): string {
  return message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…` : message;
}

function headersOf({ retryAfterSeconds, allowedMethods }: DomainError): Record<string, string> {
  return {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(allowedMethods && { allow: allowedMethods.join(', ') }),
  };
}

/** Nest and Fastify raise their own errors for unknown routes, bad URLs and bad requests. */
function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { statusCode?: unknown } | undefined)?.statusCode;
  return typeof status === 'number' ? status : HttpStatus.INTERNAL_SERVER_ERROR;
}
