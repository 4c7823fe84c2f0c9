import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/auth/accounts.service.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { SetClock } from '../support/set-clock.js';

const REFUSED = {
  error: 'invalid API Key',
  code: 'invalid_api_key',
  hint: 'Send an API key in the header X-SERVICE-API-KEY or X-ACME-API-KEY, or in the query parameter api_key',
};
const UNKNOWN_ID = '01K9Z3V7Q4M2W8R6T5Y1X0C9B8';

describe('authentication', () => {
  const clock = new SetClock();
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ HEADER_BRANDS: 'service,Acme', WORKERS: '1' }, { clock });
  });
  afterAll(() => stopWithoutLeaks(server));

  it.each(['X-SERVICE-API-KEY', 'x-service-api-key', 'X-Service-Api-Key', 'X-ACME-API-KEY', 'x-acme-api-key'])(
    'takes the key in the header %s',
    async (header) => {
      const answer = await server.send('GET', '/queries', { key: '', headers: { [header]: server.key } });
      expect(answer.status).toBe(200);
    },
  );

  it('takes the key in the query string', async () => {
    expect((await server.get('/queries', { api_key: server.key }, '')).status).toBe(200);
  });

  it('takes the key in the query string of a POST', async () => {
    const body = JSON.stringify({ name: 'a', query_sql: 'SELECT 1' });
    const answer = await server.send('POST', '/query', { key: '', query: { api_key: server.key }, body });
    expect(answer.status).toBe(200);
  });

  it('takes no more than one key in the query string', async () => {
    const answer = await server.get(`/execution/${UNKNOWN_ID}/status`, { api_key: [server.key, 'bad'] }, '');
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: 'api_key: must have one value, not several', code: 'invalid_request' });
    expect((await server.get('/queries', { api_key: ['bad', server.key] }, '')).status).toBe(401);
  });

  it('does not know a brand that is not set', async () => {
    const answer = await server.send('GET', '/queries', { key: '', headers: { 'X-OTHER-API-KEY': server.key } });
    expect(answer).toMatchObject({ status: 401, body: REFUSED });
  });

  it.each([
    ['no key', ''],
    ['an unknown key', 'eider_000000000000000000000000000000000000000000000000'],
    ['a key with something after it', 'KEYx'],
    ['a text that is no key', "' OR 1=1 --"],
  ])('refuses %s', async (_, key) => {
    const answer = await server.get('/queries', {}, key.replace('KEY', server.key));
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(REFUSED);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('refuses a key at once when it is revoked', async () => {
    const account = await server.app.get(AccountsService).create({ handle: 'leaver', type: 'user', plan: 'free' });
    const { key, text } = await server.app.get(ApiKeysService).create(account, { name: 'a', scope: 'read' });
    expect((await server.get('/queries', {}, text)).status).toBe(200);
    await server.app.get(ApiKeysService).revoke(key.id);
    expect(await server.get('/queries', {}, text)).toMatchObject({ status: 401, body: REFUSED });
  });

  it('refuses a key when it has expired', async () => {
    const account = await server.app.get(AccountsService).create({ handle: 'visitor', type: 'user', plan: 'free' });
    const expiring = { name: 'a', scope: 'read', expiresDays: 1 } as const;
    const { text } = await server.app.get(ApiKeysService).create(account, expiring);
    expect((await server.get('/queries', {}, text)).status).toBe(200);
    clock.advance({ seconds: 86_400 });
    expect(await server.get('/queries', {}, text)).toMatchObject({ status: 401, body: REFUSED });
  });

  describe('comes before everything else', () => {
    it.each([
      ['a malformed execution id', 'GET', '/execution/nonsense/status', undefined],
      ['an unknown execution id', 'GET', `/execution/${UNKNOWN_ID}/results`, undefined],
      ['a malformed query id', 'GET', '/query/nonsense', undefined],
      ['malformed read parameters', 'GET', `/execution/${UNKNOWN_ID}/results/csv?limit=x&filters=NOT`, undefined],
      ['unreadable JSON', 'POST', '/query', '{"name":'],
      ['a body that lacks fields', 'POST', '/query', '{}'],
      ['unknown parameters', 'POST', '/query/1/execute', '{"query_parameters":{"x":1}}'],
      ['SQL that is none', 'POST', '/sql/execute', '{"sql":"SELEKT"}'],
      ['a malformed PATCH', 'PATCH', '/query/1', '[]'],
      ['an oversized body', 'POST', '/query', `{"name":"${'a'.repeat(1_100_000)}"}`],
      ['a method that the path does not have', 'DELETE', '/queries', undefined],
    ])('refuses a bad key with %s', async (_, method, path, body) => {
      const answer = await server.send(method, path, { key: 'bad', body });
      expect(answer).toMatchObject({ status: 401, body: REFUSED });
    });
  });

  describe('scope', () => {
    it.each([
      ['POST', '/query', 'save or alter queries'],
      ['PATCH', '/query/1', 'save or alter queries'],
      ['POST', '/query/1/archive', 'save or alter queries'],
      ['POST', '/query/1/unarchive', 'save or alter queries'],
      ['POST', '/query/1/private', 'save or alter queries'],
      ['POST', '/query/1/unprivate', 'save or alter queries'],
      ['POST', '/query/1/execute', 'execute queries'],
      ['POST', '/sql/execute', 'execute queries'],
      ['POST', `/execution/${UNKNOWN_ID}/cancel`, 'cancel executions'],
    ])('lets no read key do %s %s', async (method, path, what) => {
      const key = await server.givenKey('reader', { scope: 'read' });
      const answer = await server.send(method, path, { key, body: '{}' });
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual({ error: `This API key may not ${what}`, code: 'scope_missing' });
    });

    it('lets a read key read', async () => {
      const query = await server.givenQuery('SELECT 1');
      const key = await server.givenKey('reader', { scope: 'read' });
      expect((await server.get(`/query/${query}`, {}, key)).status).toBe(200);
    });

    it('lets a read_write key save and execute', async () => {
      const key = await server.givenKey('writer', { scope: 'read_write' });
      const query = await server.givenQuery('SELECT 1', {}, key);
      expect((await server.post(`/query/${query}/execute`, {}, key)).status).toBe(200);
    });
  });

  describe('context', () => {
    const create = async (handle: string, type: 'user' | 'team') => {
      const account = await server.app.get(AccountsService).create({ handle, type, plan: 'premium' });
      return (await server.app.get(ApiKeysService).create(account, { name: 'a', scope: 'admin' })).text;
    };

    it('is what a key reaches: a team key nothing of a user, a user key nothing of a team', async () => {
      const keys = { ada: await create('ada', 'user'), lovers_of_sql: await create('lovers_of_sql', 'team') };
      const queries = new Map<string, number>();
      for (const [owner, key] of Object.entries(keys)) {
        queries.set(owner, await server.givenQuery('SELECT 1', { name: owner, is_private: true }, key));
      }
      for (const [owner, key] of Object.entries(keys)) {
        expect((await server.get('/queries', {}, key)).body).toMatchObject({
          queries: [{ name: owner, owner }],
          total: 1,
        });
        for (const [other, query] of queries) {
          const read = await server.get(`/query/${query}`, {}, key);
          expect(read.status).toBe(other === owner ? 200 : 404);
          const executed = await server.post(`/query/${query}/execute`, {}, key);
          expect(executed.status).toBe(other === owner ? 200 : 404);
        }
      }
    });
  });

  describe('unknown path', () => {
    it.each([
      ['with a key', 'GET', '/nothing-here', 'good'],
      ['without one', 'GET', '/nothing-here', ''],
    ])('is told %s', async (_, method, path, key) => {
      const answer = await server.send(method, path, { key: key && server.key });
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ error: 'No such path', code: 'route_not_found' });
    });
  });
});
