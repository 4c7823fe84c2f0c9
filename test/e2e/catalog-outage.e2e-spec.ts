import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { Catalog } from '../../src/catalog/catalog.js';
import { ExecutionEvents } from '../../src/executions/execution-events.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { collectOutput } from '../support/logs.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { ENDLESS } from '../support/wire.js';

describe('a catalog that cannot be written', () => {
  const output = collectOutput();
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1', LOG_LEVEL: 'warn' });
  });
  afterAll(async () => {
    await stopWithoutLeaks(server);
    output.stop();
  });

  const start = async (text: string) => (await server.post('/sql/execute', { sql: text })).body.execution_id as string;
  const inCatalog = (text: string) => sql.raw(text).execute(server.app.get(Catalog));

  /** Settles when something has happened to an execution; `react` is called in that moment. */
  function whenChanged(id: string, react: () => void = () => {}): Promise<void> {
    return new Promise((resolve) => {
      const stop = server.app.get(ExecutionEvents).onChanged((changed) => {
        if (changed !== id) return;
        stop();
        react();
        resolve();
      });
    });
  }

  it('lets an execution that cannot begin keep its place, and run once it can', async () => {
    const running = await start(ENDLESS);
    await server.untilStatus(running, ({ state }) => state === 'QUERY_STATE_EXECUTING');
    const waiting = await start('SELECT 1 AS a');
    const last = await start('SELECT 2 AS a');
    const isPutBack = whenChanged(waiting);
    const isReadOnly = whenChanged(running, () => void inCatalog('PRAGMA query_only = ON'));
    expect((await server.post(`/execution/${running}/cancel`)).body).toEqual({ success: true });
    await Promise.all([isReadOnly, isPutBack]);
    for (const [id, queue_position] of [
      [waiting, 1],
      [last, 2],
    ]) {
      const { body } = await server.get(`/execution/${id}/status`);
      expect(body).toMatchObject({ state: 'QUERY_STATE_PENDING', queue_position });
    }
    await inCatalog('PRAGMA query_only = OFF');
    for (const id of [waiting, last]) {
      expect((await server.untilEnded(id)).body).toMatchObject({ state: 'QUERY_STATE_COMPLETED' });
    }
  });

  it('lets an execution that has run end once it can, with its result', async () => {
    const id = await start('SELECT count(*) AS n FROM range(50000000) WHERE sqrt(range) >= 0');
    await server.untilStatus(id, ({ state }) => state === 'QUERY_STATE_EXECUTING');
    const before = output.text().length;
    await inCatalog('PRAGMA query_only = ON');
    await until(() => output.text().includes('The catalog cannot be written now; trying again', before));
    expect((await server.get(`/execution/${id}/status`)).body).toMatchObject({ state: 'QUERY_STATE_EXECUTING' });
    await inCatalog('PRAGMA query_only = OFF');
    expect((await server.untilEnded(id)).body).toMatchObject({ state: 'QUERY_STATE_COMPLETED' });
    expect((await server.get(`/execution/${id}/results`)).body.result.rows).toEqual([{ n: 50_000_000 }]);
  });

  it('fails an execution that can never begin, and runs the next', async () => {
    await inCatalog(`
      CREATE TRIGGER never BEFORE UPDATE ON executions WHEN new.state = 'EXECUTING' AND new.sql = 'SELECT 3'
      BEGIN SELECT raise(ABORT, 'never'); END`);
    const id = await start('SELECT 3');
    expect((await server.untilEnded(id)).body).toMatchObject({
      state: 'QUERY_STATE_FAILED',
      error: { type: 'FAILED_TYPE_INTERNAL', message: 'The service could not begin to run this query' },
    });
    await server.givenResult('SELECT 4');
  });
});
