import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { noteRequest } from '../common/logger.js';
import { Config } from '../config/config.js';
import type { Account } from './account.js';
import type { ApiKey } from './api-key.js';
import { ApiKeysService } from './api-keys.service.js';
import { ScopeMissingError } from './auth.errors.js';
import { findKeyText } from './find-key-text.js';
import { RateLimiter } from './rate-limiter.js';
import { RequireScope, type ScopeRequirement } from './require-scope.decorator.js';
import { includesScope } from './scope.js';

/** A request that the guard has let through. */
export interface AuthenticatedRequest extends FastifyRequest {
  account: Account;
  apiKey: ApiKey;
}

const READING: ScopeRequirement = { scope: 'read', action: 'read' };
const WRITING: ScopeRequirement = { scope: 'read_write', action: 'change anything' };

/** Lets a request through only with a valid key whose scope is enough, before anything else of it is looked at. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly limiter: RateLimiter,
    private readonly config: Config,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const { account, key } = await this.apiKeys.authenticate(findKeyText(request, this.config.HEADER_BRANDS));
    this.limiter.spend(key.id, isReading(request.method) ? 'reads' : 'writes');
    const needed = this.requirementOf(context, request.method);
    if (!includesScope(key.scope, needed.scope)) throw new ScopeMissingError(needed.action);
    noteRequest(request.raw, { account: account.handle });
    request.account = account;
    request.apiKey = key;
    return true;
  }

  private requirementOf(context: ExecutionContext, method: string): ScopeRequirement {
    const stated: ScopeRequirement | undefined = this.reflector.getAllAndOverride(RequireScope, [
      context.getHandler(),
      context.getClass(),
    ]);
    return stated ?? (isReading(method) ? READING : WRITING);
  }
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
