import { Module } from '@nestjs/common';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { RateLimiter } from './rate-limiter.js';

/** Accounts and their API keys. Modules whose controllers use {@link ApiKeyGuard} import it. */
@Module({
  providers: [AccountsRepository, AccountsService, ApiKeysRepository, ApiKeysService, ApiKeyGuard, RateLimiter],
  exports: [AccountsService, ApiKeysService, ApiKeyGuard, RateLimiter],
})
export class AuthModule {}
