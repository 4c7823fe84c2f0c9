import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Delete, Get, Module, Param, ParseIntPipe, Post, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { openTemporaryCatalog, type TemporaryCatalog } from '../../test/support/temporary-catalog.js';
import { Catalog } from '../catalog/catalog.js';
import { Clock } from '../config/clock.js';
import { Config } from '../config/config.js';
import { ConfigModule } from '../config/config.module.js';
import { ErrorFilter } from '../http/error.filter.js';
import type { Account } from './account.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { CurrentAccount } from './current-account.decorator.js';
import { RateLimiter } from './rate-limiter.js';
import { RequireScope } from './require-scope.decorator.js';
import type { Scope } from './scope.js';

@Controller('things')
@UseGuards(ApiKeyGuard)
class ThingsController {
  @Get(':id')
  read(@Param('id', ParseIntPipe) _id: number, @CurrentAccount() account: Account): string {
    return account.handle;
  }

  @Post()
  write(): string {
    return 'written';
  }

  @Post('search')
  @RequireScope({ scope: 'read', action: 'search things' })
  search(): string {
    return 'found';
  }

  @Delete()
  @RequireScope({ scope: 'admin', action: 'delete things' })
  delete(): string {
    return 'deleted';
  }
}

describe('ApiKeyGuard', () => {
  const keyTexts: Record<string, string> = {};
  let temporary: TemporaryCatalog;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    temporary = await openTemporaryCatalog();
    const config = Object.assign(new Config(), { HEADER_BRANDS: ['service', 'ACME'] });
    @Module({
      imports: [ConfigModule.forRoot(config)],
      controllers: [ThingsController],
      providers: [
        { provide: Catalog, useValue: temporary.catalog },
        Clock,
        AccountsRepository,
        AccountsService,
        ApiKeysRepository,
        ApiKeysService,
        RateLimiter,
      ],
    })
    class ThingsModule {}
    app = await NestFactory.create<NestFastifyApplication>(ThingsModule, new FastifyAdapter(), {
      logger: false,
      abortOnError: false,
    });
    app.useGlobalFilters(new ErrorFilter());
    await app.init();
    const ada = await app.get(AccountsService).create({ handle: 'ada', type: 'user', plan: 'free' });
    for (const scope of ['read', 'read_write', 'admin'] as const)
      keyTexts[scope] = (await app.get(ApiKeysService).create(ada, { name: scope, scope })).text;
  });

  afterAll(async () => {
    await app.close();
    await temporary.close();
  });

  async function call(method: 'GET' | 'POST' | 'DELETE', url: string, headers: Record<string, string> = {}) {
    const { statusCode, body } = await app.inject({ method, url, headers });
    return { statusCode, body };
  }

  const withKey = (scope: Scope) => ({ 'X-Service-Api-Key': keyTexts[scope] ?? '' });

  it('gives the route the account of the key', async () => {
    expect((await call('GET', '/things/1', withKey('read'))).body).toBe('ada');
  });

  it('takes the key from any brand of header and from the query string', async () => {
    expect((await call('GET', '/things/1', { 'x-acme-api-key': keyTexts.read ?? '' })).body).toBe('ada');
    expect((await call('GET', `/things/1?api_key=${keyTexts.read}`)).body).toBe('ada');
  });

  it.each([{}, { 'x-service-api-key': 'wrong' }])('refuses %j before it looks at the path', async (headers) => {
    const { statusCode, body } = await call('GET', '/things/not-a-number', headers as Record<string, string>);
    const hint = 'Send an API key in the header X-SERVICE-API-KEY or X-ACME-API-KEY, or in the query parameter api_key';
    expect([statusCode, JSON.parse(body)]).toEqual([401, { error: 'invalid API Key', code: 'invalid_api_key', hint }]);
  });

  it('refuses a change with a key for reading', async () => {
    const { statusCode, body } = await call('POST', '/things', withKey('read'));
    expect([statusCode, JSON.parse(body)]).toEqual([
      403,
      { error: 'This API key may not change anything', code: 'scope_missing' },
    ]);
    expect((await call('POST', '/things', withKey('read_write'))).body).toBe('written');
  });

  it('asks for the scope that the route states instead', async () => {
    expect((await call('POST', '/things/search', withKey('read'))).body).toBe('found');
    const { statusCode, body } = await call('DELETE', '/things', withKey('read_write'));
    expect([statusCode, JSON.parse(body).error]).toEqual([403, 'This API key may not delete things']);
    expect((await call('DELETE', '/things', withKey('admin'))).body).toBe('deleted');
  });
});
