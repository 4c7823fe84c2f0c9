import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Account } from '../auth/account.js';
import type { AuthenticatedRequest } from '../auth/api-key.guard.js';
import { type Origin, originOf } from './origin.js';

/** A call that starts an execution: who asks, and with which query string. */
export interface RunCall {
  readonly account: Account;
  readonly origin: Origin;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Gives a controller method the call that starts an execution. */
export const CurrentRunCall = createParamDecorator((_data: unknown, context: ExecutionContext): RunCall => {
  const { account, apiKey, query } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  return { account, origin: originOf(account, apiKey), query: query as RunCall['query'] };
});
