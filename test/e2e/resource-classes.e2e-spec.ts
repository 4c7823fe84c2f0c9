import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { ENDLESS } from '../support/wire.js';

/** Needs more memory than 128 MB, and less than 256 MB, and cannot spill. */
const GREEDY = 'SELECT len(list(range)) AS n FROM range(9000000)';

describe('the resource class of an execution', () => {
  let server: TestServer;
  let other: string;
  const started: { id: string; key: string }[] = [];

  beforeAll(async () => {
    server = await TestServer.start({
      WORKERS: '3',
      WORKER_MEMORY: '128MB',
    });
    other = await server.givenKey('other');
  });
  afterEach(async () => {
    for (const { id, key } of started.splice(0)) await server.post(`/execution/${id}/cancel`, undefined, key);
  });
  afterAll(() => stopWithoutLeaks(server));

  async function start(sql: string, performance: string, key = server.key): Promise<string> {
    const { body } = await server.post('/sql/execute', { sql, performance }, key);
    started.unshift({ id: body.execution_id, key });
    return body.execution_id;
  }

  const untilExecuting = (id: string) => server.untilStatus(id, ({ state }) => state === 'QUERY_STATE_EXECUTING');

  it('gives a large one the memory of two', async () => {
    expect((await server.untilEnded(await start(GREEDY, 'medium'))).body).toMatchObject({
      state: 'QUERY_STATE_FAILED',
      error: { type: 'FAILED_TYPE_OUT_OF_MEMORY' },
    });
    const id = await start(GREEDY, 'large');
    expect((await server.untilEnded(id)).body.state).toBe('QUERY_STATE_COMPLETED');
    expect((await server.get(`/execution/${id}/results`)).body.result.rows).toEqual([{ n: 9_000_000 }]);
  });

  it('lets a large one run in two slots, beside one that is kept for other accounts', async () => {
    const large = await start(ENDLESS, 'large');
    await untilExecuting(large);
    const own = await start('SELECT 1', 'medium');
    await server.givenResult('SELECT 1', other);
    expect((await server.get(`/execution/${own}/status`)).body).toMatchObject({
      state: 'QUERY_STATE_PENDING',
      queue_position: 1,
    });
    await server.post(`/execution/${large}/cancel`);
    expect((await server.untilEnded(own)).body.state).toBe('QUERY_STATE_COMPLETED');
  });
});

describe('the time limit of an execution', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({
      WORKERS: '3',
      WORKER_MEMORY: '128MB',
      EXECUTION_TIMEOUT: '300ms',
      LARGE_EXECUTION_TIMEOUT: '10m',
    });
  });
  afterAll(() => stopWithoutLeaks(server));

  it('is longer for a large one than for a medium one', async () => {
    const other = await server.givenKey('other');
    const large = (await server.post('/sql/execute', { sql: ENDLESS, performance: 'large' })).body.execution_id;
    await server.untilStatus(large, ({ state }) => state === 'QUERY_STATE_EXECUTING');
    const medium = (await server.post('/sql/execute', { sql: ENDLESS, performance: 'medium' }, other)).body
      .execution_id;
    expect((await server.untilEnded(medium, other)).body).toMatchObject({
      state: 'QUERY_STATE_FAILED',
      error: { type: 'FAILED_TYPE_TIMEOUT' },
    });
    expect((await server.get(`/execution/${large}/status`)).body.state).toBe('QUERY_STATE_EXECUTING');
    await server.post(`/execution/${large}/cancel`);
  });
});
