import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Catalog } from '../../src/catalog/catalog.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';

describe('health', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1' });
  });
  afterAll(() => stopWithoutLeaks(server));

  async function ask(check: 'live' | 'ready'): Promise<[number, unknown]> {
    const answer = await fetch(`${server.url}/health/${check}`);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    return [answer.status, await answer.json()];
  }

  it.each(['live', 'ready'] as const)('is told at /health/%s, without a key', async (check) => {
    expect(await ask(check)).toEqual([200, { status: 'ok' }]);
  });

  it('is not ready while its catalog cannot be read, lives on, and is ready again', async () => {
    const { schema } = server.app.get(Catalog);
    await schema.alterTable('accounts').renameTo('moved_accounts').execute();
    expect(await ask('ready')).toEqual([
      500,
      { error: 'An internal error occurred', code: 'internal', request_id: expect.stringMatching(/^[0-9A-Z]{26}$/) },
    ]);
    expect(await ask('live')).toEqual([200, { status: 'ok' }]);
    await schema.alterTable('moved_accounts').renameTo('accounts').execute();
    expect(await ask('ready')).toEqual([200, { status: 'ok' }]);
  });
});
