import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestServer } from '../support/server.js';
import { SetClock } from '../support/set-clock.js';

let server: TestServer;
beforeAll(async () => {
  // A clock that stands still: no bucket fills up again meanwhile.
  server = await TestServer.start({ WRITES_PER_MINUTE: '2', READS_PER_MINUTE: '3' }, { clock: new SetClock() });
});
afterAll(() => server.stop());

describe('rate limits', () => {
  it('answers 429 with Retry-After once a key has spent its writes, and still lets it read', async () => {
    const key = await server.givenKey('writer');
    const send = () => server.post('/query', { name: 'a', query_sql: 'SELECT 1' }, key);
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({
      error: 'This API key may ask for 2 writes a minute, try again later',
      code: 'rate_limit',
    });
    expect(refused.headers.get('retry-after')).toBe('30');
    expect((await server.get('/queries', {}, key)).status).toBe(200);
  });

  it.each([
    ['an execution of a saved query', (query: number, key: string) => server.post(`/query/${query}/execute`, {}, key)],
    ['an execution of SQL', (_query: number, key: string) => server.post('/sql/execute', { sql: 'SELECT 1' }, key)],
  ])('counts %s among the writes', async (_what, execute) => {
    const query = await server.givenQuery('SELECT 1');
    const key = await server.givenKey('executor');
    const save = () => server.post('/query', { name: 'a', query_sql: 'SELECT 1' }, key);
    expect([(await save()).status, (await execute(query, key)).status]).toEqual([200, 200]);
    for (const send of [save, () => execute(query, key)]) {
      const refused = await send();
      expect([refused.status, refused.body.error]).toEqual([
        429,
        'This API key may ask for 2 writes a minute, try again later',
      ]);
    }
  });

  it('counts reads apart, and each key for itself', async () => {
    const [key, other] = [await server.givenKey('reader'), await server.givenKey('another')];
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await server.get('/queries', {}, key)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await server.get('/queries', {}, other)).status).toBe(200);
  });
});
