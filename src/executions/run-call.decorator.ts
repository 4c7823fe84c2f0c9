import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Account } from '../auth/account.js';
import type { AuthenticatedRequest } from '../auth/api-key.guard.js';
import { signalOfClientGone } from '../http/client-gone.js';
import { type Origin, originOf } from './origin.js';

/** A call that starts an execution: who asks, and with which query string. */
export interface RunCall {
  readonly account: Account;
  readonly origin: Origin;
  readonly query: Readonly<Record<string, unknown>>;
  /** Aborted if the client is gone before it has its answer. */
  readonly gone: AbortSignal;
}

/** Gives a controller method the call that starts an execution. */
export const CurrentRunCall = createParamDecorator((_data: unknown, context: ExecutionContext): RunCall => {
  const http = context.switchToHttp();
  const request = http.getRequest<AuthenticatedRequest>();
  const { account, apiKey, query } = request;
  const gone = signalOfClientGone(request, http.getResponse<FastifyReply>());
  return { account, origin: originOf(account, apiKey), query: query as RunCall['query'], gone };
});
