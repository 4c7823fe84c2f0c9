import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { ENDLESS, expectNoNullKeys, INSTANT, ULID } from '../support/wire.js';

const UNKNOWN_ID = '01K9Z3V7Q4M2W8R6T5Y1X0C9B8';

describe('states of an execution', () => {
  let server: TestServer;
  const started: string[] = [];

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1' });
  });
  afterEach(async () => {
    for (const id of started.splice(0)) await server.post(`/execution/${id}/cancel`);
  });
  afterAll(() => stopWithoutLeaks(server));

  async function start(sql: string, key = server.key): Promise<string> {
    const { body } = await server.post('/sql/execute', { sql }, key);
    started.unshift(body.execution_id);
    return body.execution_id;
  }

  /** Starts an execution that runs until it is cancelled. */
  async function startEndless(): Promise<string> {
    const id = await start(ENDLESS);
    await server.untilStatus(id, (body) => body.state === 'QUERY_STATE_EXECUTING');
    return id;
  }

  const status = async (id: string) => (await server.get(`/execution/${id}/status`)).body;

  /** What the three reading calls answer about an execution without a result. */
  async function expectNoResult(id: string, state: string): Promise<void> {
    const json = await server.get(`/execution/${id}/results`, { limit: 10 });
    expect(json.status).toBe(200);
    expect(json.body.state).toBe(state);
    expect(json.body).not.toHaveProperty('result');
    expect(json.body).not.toHaveProperty('next_uri');
    expectNoNullKeys(json.body);
    const csv = await server.get(`/execution/${id}/results/csv`, { limit: 10 });
    expect(csv.status).toBe(409);
    expect(csv.body).toEqual({
      error: `Query state is ${state}, cannot provide CSV result`,
      code: 'no_result',
      state,
    });
  }

  describe('PENDING', () => {
    it('tells the place in the queue, and neither start nor end', async () => {
      const running = await startEndless();
      const [first, second] = [await start('SELECT 1'), await start('SELECT 2')];
      expect(await status(first)).toEqual({
        execution_id: first,
        query_id: 0,
        is_execution_finished: false,
        state: 'QUERY_STATE_PENDING',
        submitted_at: INSTANT,
        expires_at: INSTANT,
        queue_position: 1,
      });
      expect((await status(second)).queue_position).toBe(2);
      await expectNoResult(second, 'QUERY_STATE_PENDING');
      await server.post(`/execution/${first}/cancel`);
      expect((await status(second)).queue_position).toBe(1);
      await server.post(`/execution/${running}/cancel`);
      expect((await server.untilEnded(second)).body.state).toBe('QUERY_STATE_COMPLETED');
    });

    it('lets accounts take turns', async () => {
      const other = await server.givenKey('other');
      await startEndless();
      const [first, second] = [await start('SELECT 1'), await start('SELECT 2')];
      const foreign = await start('SELECT 3', other);
      const place = async (id: string, key = server.key) =>
        (await server.get(`/execution/${id}/status`, {}, key)).body.queue_position;
      expect([await place(first), await place(foreign, other), await place(second)]).toEqual([1, 2, 3]);
      await server.post(`/execution/${foreign}/cancel`, undefined, other);
    });
  });

  describe('EXECUTING', () => {
    it('tells the start and no end', async () => {
      const id = await startEndless();
      const body = await status(id);
      expect(body).toEqual({
        execution_id: id,
        query_id: 0,
        is_execution_finished: false,
        state: 'QUERY_STATE_EXECUTING',
        submitted_at: INSTANT,
        expires_at: INSTANT,
        execution_started_at: INSTANT,
      });
      await expectNoResult(id, 'QUERY_STATE_EXECUTING');
    });

    it('tells progress, which grows, while the statement reads a table', async () => {
      const data = `n\n${Array.from({ length: 1_000_000 }, (_, n) => n).join('\n')}\n`;
      await server.post('/table/upload/csv', { table_name: 'numbers', data });
      const id = await start("SELECT max(sha256(repeat('x', 500) || n)) AS hash FROM numbers");
      const seen: number[] = [];
      await until(async () => {
        const { state, progress_percentage } = await status(id);
        expect(state).toMatch(/^QUERY_STATE_(PENDING|EXECUTING)$/);
        if (progress_percentage !== undefined && progress_percentage !== seen.at(-1)) seen.push(progress_percentage);
        return seen.length === 2;
      });
      expect(seen.toSorted((a, b) => a - b)).toEqual(seen);
      expect(seen[0]).toBeGreaterThan(0);
      expect(seen[1]).toBeLessThan(100);
    });
  });

  describe('COMPLETED', () => {
    it('tells of the result, in the status and with its rows', async () => {
      const queryId = await server.givenQuery("SELECT 1 AS a, 'x' AS b UNION ALL SELECT NULL, 'yz'");
      const id = await server.givenExecution(queryId);
      const fields = {
        execution_id: id,
        query_id: queryId,
        is_execution_finished: true,
        state: 'QUERY_STATE_COMPLETED',
        submitted_at: INSTANT,
        expires_at: INSTANT,
        execution_started_at: INSTANT,
        execution_ended_at: INSTANT,
      };
      const metadata = {
        column_names: ['a', 'b'],
        column_types: ['integer', 'varchar'],
        row_count: 2,
        total_row_count: 2,
        result_set_bytes: 7,
        total_result_set_bytes: 7,
        datapoint_count: 4,
        pending_time_millis: expect.any(Number),
        execution_time_millis: expect.any(Number),
      };
      const body = await status(id);
      expect(body).toEqual({ ...fields, result_metadata: metadata, result: { result_set_size: 7 } });
      const results = (await server.get(`/execution/${id}/results`)).body;
      expect(results).toEqual({
        ...fields,
        result: {
          metadata,
          rows: [
            { a: 1, b: 'x' },
            { a: null, b: 'yz' },
          ],
        },
      });
      const at = (name: string) => new Date(body[name]).getTime();
      expect(at('expires_at') - at('execution_ended_at')).toBe(90 * 86_400_000);
      expect(body.result_metadata.pending_time_millis).toBe(at('execution_started_at') - at('submitted_at'));
      expect(body.result_metadata.execution_time_millis).toBe(at('execution_ended_at') - at('execution_started_at'));
    });
  });

  describe('FAILED', () => {
    it('tells why and where', async () => {
      const id = await start('SELECT\n  nothing_like_this\nFROM range(3)');
      const { body } = await server.untilEnded(id);
      expect(body).toEqual({
        execution_id: id,
        query_id: 0,
        is_execution_finished: true,
        state: 'QUERY_STATE_FAILED',
        submitted_at: INSTANT,
        expires_at: INSTANT,
        execution_started_at: INSTANT,
        execution_ended_at: INSTANT,
        error: {
          type: 'FAILED_TYPE_EXECUTION_FAILED',
          message: expect.stringContaining('nothing_like_this'),
          metadata: { line: 2, column: 3, offset: 9, length: 17 },
        },
      });
      await expectNoResult(id, 'QUERY_STATE_FAILED');
      expect((await server.get(`/execution/${id}/results`)).body.error).toEqual(body.error);
    });

    it('is how a result of too many columns ends', async () => {
      const columns = Array.from({ length: 2_001 }, (_, index) => `1 AS c${index}`).join(', ');
      const { body } = await server.untilEnded(await start(`SELECT ${columns}`));
      expect(body.error).toEqual({
        type: 'FAILED_TYPE_RESULT_TOO_LARGE',
        message: 'The result has 2001 columns; the limit is 2000',
      });
    });

    it.each([
      ['SELECT 1; SELECT 2'],
      ["COPY (SELECT 1) TO '/tmp/stolen.csv'"],
      ["SELECT * FROM read_csv('/etc/passwd')"],
      ['SELECT * FROM no_such_table'],
      ["SELECT CAST('x' AS INTEGER)"],
      ['SELEKT 1'],
    ])('is how %s ends, with no path of the server in the message', async (sql) => {
      const { body } = await server.untilEnded(await start(sql));
      expect(body.state).toBe('QUERY_STATE_FAILED');
      expect(body.error).toMatchObject({ type: 'FAILED_TYPE_EXECUTION_FAILED', message: expect.any(String) });
      expect(body.error.message).not.toContain(server.dataDir);
      expect(body).not.toHaveProperty('result_metadata');
      expectNoNullKeys(body);
    });
  });

  describe('CANCELLED', () => {
    it('is where a cancel takes an execution that waits', async () => {
      await startEndless();
      const id = await start('SELECT 1');
      expect((await server.post(`/execution/${id}/cancel`)).body).toEqual({ success: true });
      expect(await status(id)).toEqual({
        execution_id: id,
        query_id: 0,
        is_execution_finished: true,
        state: 'QUERY_STATE_CANCELLED',
        submitted_at: INSTANT,
        expires_at: INSTANT,
        execution_ended_at: INSTANT,
        cancelled_at: INSTANT,
      });
      await expectNoResult(id, 'QUERY_STATE_CANCELLED');
    });

    it('is where a cancel takes an execution that runs, which gives its worker to the next', async () => {
      const id = await startEndless();
      expect((await server.post(`/execution/${id}/cancel`)).body).toEqual({ success: true });
      expect(await status(id)).toMatchObject({ state: 'QUERY_STATE_CANCELLED', cancelled_at: INSTANT });
      const next = await start('SELECT 1');
      expect((await server.untilEnded(next)).body.state).toBe('QUERY_STATE_COMPLETED');
      await expectNoResult(id, 'QUERY_STATE_CANCELLED');
    });

    it.each(['SELECT 1', 'SELEKT'])('is not where a cancel takes %s, which has ended', async (sql) => {
      const id = await start(sql);
      const ended = await server.untilEnded(id);
      expect(await server.post(`/execution/${id}/cancel`)).toMatchObject({ status: 200, body: { success: false } });
      expect(await status(id)).toEqual(ended.body);
    });

    it('does not change by a second cancel', async () => {
      const id = await startEndless();
      await server.post(`/execution/${id}/cancel`);
      const before = await status(id);
      expect((await server.post(`/execution/${id}/cancel`)).body).toEqual({ success: false });
      expect(await status(id)).toEqual(before);
    });
  });

  describe('an execution id', () => {
    it.each([
      ['GET', '/status'],
      ['GET', '/results'],
      ['GET', '/results/csv'],
      ['POST', '/cancel'],
    ])('is refused in %s …%s where it is malformed or unknown', async (method, call) => {
      for (const id of ['x', '123', 'ILOU', `${UNKNOWN_ID}0`, '../../etc', '01K9Z3V7Q4M2W8R6T5Y1X0C9BU']) {
        const answer = await server.send(method, `/execution/${encodeURIComponent(id)}${call}`);
        expect(answer.status).toBe(400);
        expect(answer.body).toEqual({
          error: `The requested execution ID (ID: ${id}) is invalid.`,
          code: 'invalid_execution_id',
        });
      }
      const unknown = await server.send(method, `/execution/${UNKNOWN_ID}${call}`);
      expect(unknown.status).toBe(404);
      expect(unknown.body).toEqual({
        error: `The requested execution ID (ID: ${UNKNOWN_ID}) was not found.`,
        code: 'execution_not_found',
      });
    });

    it("is unknown to another account, and not another's to cancel", async () => {
      const other = await server.givenKey('other');
      const own = await server.givenResult('SELECT 1');
      const shared = await server.givenExecution(await server.givenQuery('SELECT 1'));
      const error = (id: string) => `The requested execution ID (ID: ${id}) was not found.`;
      for (const call of ['status', 'results', 'results/csv']) {
        const answer = await server.get(`/execution/${own}/${call}`, {}, other);
        expect(answer).toMatchObject({ status: 404, body: { error: error(own) } });
        expect((await server.get(`/execution/${shared}/${call}`, {}, other)).status).toBe(200);
      }
      for (const id of [own, shared]) {
        const answer = await server.post(`/execution/${id}/cancel`, undefined, other);
        expect(answer).toMatchObject({ status: 404, body: { error: error(id) } });
      }
    });

    it('is a ULID, which sorts by the time of submission', async () => {
      const ids = [await start('SELECT 1'), await start('SELECT 1'), await start('SELECT 1')];
      expect(ids).toEqual([ULID, ULID, ULID]);
      expect(ids.toSorted()).toEqual(ids);
    });
  });
});

describe('an execution that runs for longer than EXECUTION_TIMEOUT', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1', EXECUTION_TIMEOUT: '500ms' });
  });
  afterAll(() => stopWithoutLeaks(server));

  it('fails with FAILED_TYPE_TIMEOUT and gives its worker to the next', async () => {
    const { body } = await server.post('/sql/execute', { sql: ENDLESS });
    const ended = await server.untilEnded(body.execution_id);
    expect(ended.body).toMatchObject({
      state: 'QUERY_STATE_FAILED',
      error: { type: 'FAILED_TYPE_TIMEOUT', message: expect.any(String) },
    });
    expect((await server.get(`/execution/${body.execution_id}/results/csv`)).status).toBe(409);
    const next = await server.post('/sql/execute', { sql: 'SELECT 1' });
    expect((await server.untilEnded(next.body.execution_id)).body.execution_started_at).toEqual(INSTANT);
  });
});
