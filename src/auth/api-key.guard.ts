import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Config } from '../config/config.js';
import { InvalidRequestError } from '../http/common.errors.js';
import { noteRequest } from '../http/logger.js';
import type { Account } from './account.js';
import type { ApiKey } from './api-key.js';
import { ApiKeysService } from './api-keys.service.js';
import { InvalidApiKeyError, ScopeMissingError } from './auth.errors.js';
import { findKeyText } from './find-key-text.js';
import { RateLimiter } from './rate-limiter.js';
import { RequireScope, type ScopeRequirement } from './require-scope.decorator.js';
import { includesScope } from './scope.js';

/** A request that the guard has accepted. */
export interface AuthenticatedRequest extends FastifyRequest {
  account: Account;
  apiKey: ApiKey;
}

const READING: ScopeRequirement = { scope: 'read', action: 'read' };
const WRITING: ScopeRequirement = { scope: 'read_write', action: 'change anything' };

/** Rejects a request without a valid key of the needed scope, before anything else is read. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly limiter: RateLimiter,
    private readonly config: Config,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { apiKey } = await this.authenticate(request);
    const needed = this.requirementOf(context, request.method);
    if (!includesScope(apiKey.scope, needed.scope)) throw new ScopeMissingError(needed.action);
    return true;
  }

  /**
   * Finds out whose request it is, and counts it against the rate limits of its key.
   *
   * @throws {InvalidApiKeyError}
   * @throws {RateLimitError}
   * @throws {InvalidRequestError} if the query string has several keys.
   */
  async authenticate(request: FastifyRequest): Promise<AuthenticatedRequest> {
    const { account, key } = await this.findAccount(request);
    this.limiter.spend(key.id, isReading(request.method) ? 'reads' : 'writes');
    noteRequest(request.raw, { account: account.handle });
    if (Array.isArray((request.query as { api_key?: unknown }).api_key))
      throw new InvalidRequestError('api_key: must have one value, not several');
    return Object.assign(request, { account, apiKey: key });
  }

  private async findAccount(request: FastifyRequest): Promise<{ account: Account; key: ApiKey }> {
    const { HEADER_BRANDS } = this.config;
    try {
      return await this.apiKeys.authenticate(findKeyText(request, HEADER_BRANDS));
    } catch (error) {
      throw error instanceof InvalidApiKeyError ? new InvalidApiKeyError(HEADER_BRANDS) : error;
    }
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
