import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start({ WRITES_PER_MINUTE: '2', READS_PER_MINUTE: '3' });
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
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await server.get('/queries', {}, key)).status).toBe(200);
  });

  it('counts reads apart, and each key for itself', async () => {
    const [key, other] = [await server.givenKey('reader'), await server.givenKey('another')];
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await server.get('/queries', {}, key)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await server.get('/queries', {}, other)).status).toBe(200);
  });
});
