import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AuthenticatedRequest } from '../auth/api-key.guard.js';
import { type Origin, originOf } from './origin.js';

/** Gives a controller method the origin of the executions that the request starts. */
export const CurrentOrigin = createParamDecorator((_data: unknown, context: ExecutionContext): Origin => {
  const { account, apiKey } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  return originOf(account, apiKey);
});
