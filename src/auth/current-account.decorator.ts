import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Account } from './account.js';
import type { AuthenticatedRequest } from './api-key.guard.js';

/** Gives a controller method the account whose key the request carries. */
export const CurrentAccount = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Account =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().account,
);
