import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Draining } from '../../src/http/draining.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';

/** Does not end by itself. */
const ENDLESS = 'SELECT count(*) FROM range(10000000000) a, range(1000000) b WHERE a.range % 7 = b.range % 11';

describe('wait_seconds', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1' });
  });
  afterAll(() => stopWithoutLeaks(server));

  const start = async (sql: string): Promise<string> => (await server.post('/sql/execute', { sql })).body.execution_id;

  it('has an execution answered once it has ended, completed or failed', async () => {
    const completed = await server.post('/sql/execute?wait_seconds=60', { sql: 'SELECT 1 AS n' });
    expect(completed.body).toMatchObject({ state: 'QUERY_STATE_COMPLETED' });
    const failed = await server.post('/sql/execute?wait_seconds=60', { sql: 'SELECT nothing' });
    expect(failed.body).toMatchObject({ state: 'QUERY_STATE_FAILED' });
    const queryId = await server.givenQuery('SELECT 2 AS n');
    const saved = await server.post(`/query/${queryId}/execute?wait_seconds=60`, {});
    expect(saved.body).toMatchObject({ state: 'QUERY_STATE_COMPLETED' });
  });

  it.each([
    ['status', 'QUERY_STATE_COMPLETED'],
    ['results', '"rows":[{"n":49999995000000}'],
    ['results/csv', 'n\n49999995000000\n'],
  ])('has the %s of an execution answered once it has ended', async (path, text) => {
    const id = await start('SELECT sum(range)::BIGINT AS n FROM range(10000000)');
    expect((await server.get(`/execution/${id}/${path}`, { wait_seconds: 60 })).text).toContain(text);
  });

  it('ends with a cancel, for all that wait', async () => {
    const id = await start(ENDLESS);
    await server.untilStatus(id, ({ state }) => state === 'QUERY_STATE_EXECUTING');
    const waiting = Array.from({ length: 5 }, () => server.get(`/execution/${id}/status`, { wait_seconds: 60 }));
    await server.post(`/execution/${id}/cancel`, {});
    const states = (await Promise.all(waiting)).map(({ body }) => body.state);
    expect(states).toEqual(Array(5).fill('QUERY_STATE_CANCELLED'));
  });

  it('answers with the state when the time is up', async () => {
    const id = await start(ENDLESS);
    const { body } = await server.get(`/execution/${id}/status`, { wait_seconds: 1 });
    expect(body.is_execution_finished).toBe(false);
    await server.post(`/execution/${id}/cancel`, {});
  });

  it.each(['-1', '61', '1.5', 'long'])('is refused if it is %s', async (seconds) => {
    const id = await server.givenResult('SELECT 1');
    const { status, body } = await server.get(`/execution/${id}/status`, { wait_seconds: seconds });
    expect([status, body.error]).toEqual([400, expect.stringContaining('wait_seconds')]);
  });

  it('opens no execution to another account', async () => {
    const id = await start('SELECT 1');
    const key = await server.givenKey('stranger');
    expect((await server.send('GET', `/execution/${id}/status?wait_seconds=60`, { key })).status).toBe(404);
  });
});

describe('a service that stops', () => {
  it('answers those that wait', async () => {
    const server = await TestServer.start({ WORKERS: '1', SHUTDOWN_GRACE: '1s' });
    const id = (await server.post('/sql/execute', { sql: ENDLESS })).body.execution_id;
    await server.untilStatus(id, ({ state }) => state === 'QUERY_STATE_EXECUTING');
    const waiting = server.get(`/execution/${id}/status`, { wait_seconds: 60 });
    await until(() => server.app.get(Draining).requestsInFlight === 1);
    const stopped = stopWithoutLeaks(server);
    expect((await waiting).body.state).toBe('QUERY_STATE_EXECUTING');
    await stopped;
  });
});
