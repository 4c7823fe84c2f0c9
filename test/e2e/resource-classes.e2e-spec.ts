import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { ENDLESS } from '../support/wire.js';

/** Needs more memory than 128 MB, and less than 256 MB, and cannot spill. */
const GREEDY = 'SELECT len(list(range)) AS n FROM range(9000000)';

describe('the resource class of an execution', () => {
  let server: TestServer;
  const started: string[] = [];

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '2', WORKER_MEMORY: '128MB' });
  });
  afterEach(async () => {
    for (const id of started.splice(0)) await server.post(`/execution/${id}/cancel`);
  });
  afterAll(() => stopWithoutLeaks(server));

  async function start(sql: string, performance: string): Promise<string> {
    const { body } = await server.post('/sql/execute', { sql, performance });
    started.unshift(body.execution_id);
    return body.execution_id;
  }

  const untilExecuting = (id: string) => server.untilStatus(id, ({ state }) => state === 'QUERY_STATE_EXECUTING');
  const cancel = (id: string) => server.post(`/execution/${id}/cancel`);

  /** Expects the executions to wait, in this order. */
  async function expectWaiting(...ids: string[]): Promise<void> {
    const found = await Promise.all(ids.map(async (id) => (await server.get(`/execution/${id}/status`)).body));
    expect(found.map(({ state, queue_position }) => [state, queue_position])).toEqual(
      ids.map((_, index) => ['QUERY_STATE_PENDING', index + 1]),
    );
  }

  it('gives a large one the memory of two', async () => {
    expect((await server.untilEnded(await start(GREEDY, 'medium'))).body).toMatchObject({
      state: 'QUERY_STATE_FAILED',
      error: { type: 'FAILED_TYPE_OUT_OF_MEMORY' },
    });
    const id = await start(GREEDY, 'large');
    expect((await server.untilEnded(id)).body.state).toBe('QUERY_STATE_COMPLETED');
    expect((await server.get(`/execution/${id}/results`)).body.result.rows).toEqual([{ n: 9_000_000 }]);
  });

  it('lets as many medium ones run at once as there are WORKERS', async () => {
    const [first, second] = [await start(ENDLESS, 'medium'), await start(ENDLESS, 'medium')];
    const third = await start('SELECT 1', 'medium');
    await Promise.all([untilExecuting(first), untilExecuting(second)]);
    await expectWaiting(third);
    await cancel(first);
    expect((await server.untilEnded(third)).body.state).toBe('QUERY_STATE_COMPLETED');
  });

  it('lets a large one run in the place of two', async () => {
    const large = await start(ENDLESS, 'large');
    await untilExecuting(large);
    const [medium, other] = [await start(ENDLESS, 'medium'), await start(ENDLESS, 'medium')];
    await expectWaiting(medium, other);
    await cancel(large);
    await Promise.all([untilExecuting(medium), untilExecuting(other)]);
  });

  it('lets a large one wait for two places, and what came later behind it', async () => {
    const running = await start(ENDLESS, 'medium');
    await untilExecuting(running);
    const [large, later] = [await start(ENDLESS, 'large'), await start('SELECT 1', 'medium')];
    await expectWaiting(large, later);
    await cancel(running);
    await untilExecuting(large);
    await expectWaiting(later);
  });
});
