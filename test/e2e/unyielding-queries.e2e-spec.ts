import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasResultFile } from '../support/engine/result-file.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { ENDLESS } from '../support/wire.js';

/** Queries that take long inside one operator, or one function. */
const UNYIELDING = [
  { name: 'a cross join', sql: ENDLESS },
  {
    name: 'a recursive CTE',
    sql: 'WITH RECURSIVE t(n) AS (SELECT 1::HUGEINT UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t',
  },
  { name: 'a huge sort', sql: 'SELECT md5(range::VARCHAR) AS text FROM range(1000000000) ORDER BY text' },
  { name: 'repeat of a giant string', sql: `SELECT max(md5(repeat(range::VARCHAR, 100000000))) FROM range(1000000)` },
];

describe('queries that do not yield', () => {
  let server: TestServer;
  let limited: TestServer;

  beforeAll(async () => {
    [server, limited] = await Promise.all([
      TestServer.start({ WORKERS: '1' }),
      TestServer.start({ WORKERS: '1', EXECUTION_TIMEOUT: '500ms' }),
    ]);
  });
  afterAll(async () => {
    await limited.stop();
    await stopWithoutLeaks(server);
  });

  const start = async (on: TestServer, sql: string) =>
    (await on.post('/sql/execute', { sql })).body.execution_id as string;

  /** Starts an execution and gives its id once it is in the middle of its work. */
  async function startRunning(sql: string): Promise<string> {
    const id = await start(server, sql);
    await until(() => hasResultFile(join(server.dataDir, 'runs'), id));
    return id;
  }

  it.each(UNYIELDING)('$name is cancelled, and the next execution starts', async ({ sql }) => {
    const id = await startRunning(sql);
    const next = await start(server, 'SELECT 1');
    expect((await server.post(`/execution/${id}/cancel`)).body).toEqual({ success: true });
    const cancelled = (await server.get(`/execution/${id}/status`)).body;
    expect(cancelled).toMatchObject({ state: 'QUERY_STATE_CANCELLED' });
    // The only worker is free once nothing of the cancelled run is left.
    expect((await server.untilEnded(next)).body).toMatchObject({ state: 'QUERY_STATE_COMPLETED' });
    expect((await server.post(`/execution/${id}/cancel`)).body).toEqual({ success: false });
  });

  it.each(UNYIELDING)('$name fails once EXECUTION_TIMEOUT is over, and the next execution starts', async ({ sql }) => {
    const { body } = await limited.untilEnded(await start(limited, sql));
    expect(body).toMatchObject({ state: 'QUERY_STATE_FAILED' });
    expect(['FAILED_TYPE_TIMEOUT', 'FAILED_TYPE_OUT_OF_MEMORY']).toContain(body.error.type);
    await limited.givenResult('SELECT 1');
  });
});
