import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';

describe('a result that cannot be stored', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1', MAX_ATTEMPTS: '2' });
  });
  afterAll(() => stopWithoutLeaks(server));

  it('fails its execution after MAX_ATTEMPTS, and the next one is run', async () => {
    const results = join(server.dataDir, 'results');
    await rm(results, { recursive: true, force: true });
    await writeFile(results, 'no folder');
    const { body } = await server.post('/sql/execute', { sql: 'SELECT 1' });
    expect((await server.untilEnded(body.execution_id)).body).toMatchObject({
      state: 'QUERY_STATE_FAILED',
      error: { type: 'FAILED_TYPE_INTERNAL' },
    });
    await rm(results);
    const next = await server.givenResult('SELECT 42 AS answer');
    expect((await server.get(`/execution/${next}/results`)).body.result.rows).toEqual([{ answer: 42 }]);
  });
});
