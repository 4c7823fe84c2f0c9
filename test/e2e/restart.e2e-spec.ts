import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { ENDLESS } from '../support/wire.js';

describe('a restart on the same data folder', () => {
  let settings: Record<string, string>;
  let server: TestServer;

  beforeAll(async () => {
    settings = { DATA_DIR: await mkdtemp(join(tmpdir(), 'eider-')), WORKERS: '1' };
    server = await TestServer.start(settings);
  });
  afterAll(async () => {
    await stopWithoutLeaks(server);
    await rm(settings.DATA_DIR ?? '', { recursive: true });
  });

  it('keeps keys, queries and results, and runs what ran or waited again, in its old order', async () => {
    const { key } = server;
    const query = await server.givenQuery('SELECT range AS n FROM range(3)');
    const done = await server.givenExecution(query);
    const before = await server.get(`/execution/${done}/results`);
    const start = async (sql: string) => (await server.post('/sql/execute', { sql }, key)).body.execution_id;
    const running = await start(ENDLESS);
    await server.untilStatus(running, ({ state }) => state === 'QUERY_STATE_EXECUTING');
    const waiting = [await start('SELECT 1 AS a'), await start('SELECT 2 AS a')];

    await stopWithoutLeaks(server);
    server = await TestServer.start(settings);

    expect((await server.get(`/execution/${done}/results`, {}, key)).body).toEqual(before.body);
    await server.untilStatus(running, ({ state }) => state === 'QUERY_STATE_EXECUTING', key);
    const places = waiting.map(
      async (id) => (await server.get(`/execution/${id}/status`, {}, key)).body.queue_position,
    );
    expect(await Promise.all(places)).toEqual([1, 2]);
    expect((await server.post(`/execution/${running}/cancel`, undefined, key)).body).toEqual({ success: true });
    for (const [index, id] of waiting.entries()) {
      await server.untilEnded(id, key);
      const { body } = await server.get(`/execution/${id}/results`, {}, key);
      expect(body.result.rows).toEqual([{ a: index + 1 }]);
    }
  });
});
