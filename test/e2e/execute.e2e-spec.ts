import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExecutionId } from '../../src/catalog/ids.js';
import { ExecutionsRepository } from '../../src/executions/executions.repository.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { ENDLESS, ULID } from '../support/wire.js';

const STARTED = { execution_id: ULID, state: 'QUERY_STATE_PENDING' };

describe('starting an execution', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '2', MAX_QUEUED_PER_ACCOUNT: '20' });
  });
  afterAll(() => stopWithoutLeaks(server));

  /** Rows of an execution, once it has ended. */
  async function rowsOf(started: { body: { execution_id: string } }, key = server.key): Promise<object[]> {
    const { execution_id: id } = started.body;
    await server.untilEnded(id, key);
    const { body } = await server.get(`/execution/${id}/results`, {}, key);
    if (!body.result) throw new Error(`No result: ${JSON.stringify(body)}`);
    return body.result.rows;
  }

  describe('POST /v1/query/{query_id}/execute', () => {
    it('answers an execution that waits, without a body', async () => {
      const query = await server.givenQuery('SELECT 42 AS answer');
      const started = await server.post(`/query/${query}/execute`);
      expect(started.status).toBe(200);
      expect(started.body).toEqual(STARTED);
      expect(await rowsOf(started)).toEqual([{ answer: 42 }]);
    });

    it('takes parameters as text, number and list, in the body', async () => {
      const query = await server.givenQuery("SELECT {{n}} + 1 AS n, '{{word}}' AS word, 'b' IN ({{list}}) AS isin");
      const query_parameters = { n: 5, word: "it's", list: ['a', 'b'] };
      expect(await rowsOf(await server.post(`/query/${query}/execute`, { query_parameters }))).toEqual([
        { n: 6, word: "it's", isin: true },
      ]);
    });

    it('takes parameters in the query string, as JSON or one by one', async () => {
      const query = await server.givenQuery("SELECT '{{a}}' AS a, '{{b}}' AS b");
      const given = { query_parameters: '{"a":"x & y"}', 'params.b': 'ü', performance: 'large' };
      const started = await server.send('POST', `/query/${query}/execute`, { query: given });
      expect(await rowsOf(started)).toEqual([{ a: 'x & y', b: 'ü' }]);
    });

    it('lets the body win over the query string', async () => {
      const query = await server.givenQuery("SELECT '{{a}}' AS a");
      const started = await server.send('POST', `/query/${query}/execute`, {
        query: { query_parameters: '{"a":"from the query string"}', performance: 'medium' },
        body: JSON.stringify({ query_parameters: { a: 'from the body' }, performance: 'large' }),
      });
      expect(await rowsOf(started)).toEqual([{ a: 'from the body' }]);
    });

    it.each(['medium', 'large', 'small', 'free', 'community'])('knows the performance word %s', async (performance) => {
      const query = await server.givenQuery('SELECT 1');
      const started = await server.post(`/query/${query}/execute`, { performance });
      expect(started).toMatchObject({ status: 200, body: STARTED });
      await server.untilEnded(started.body.execution_id);
    });

    it.each([
      [{ query_parameters: { a: '1', x: 1, y: 2 } }, 'unknown parameters (x, y)', 'unknown_parameters'],
      [{}, 'parameter a: has no default: give it a value', 'invalid_parameter'],
      [{ query_parameters: { a: null } }, 'parameter a: has no default: give it a value', 'invalid_parameter'],
      [{ query_parameters: { a: {} } }, 'parameter a: must be text, a number, or a list of these', 'invalid_parameter'],
      [
        { query_parameters: { a: true } },
        'parameter a: must be text, a number, or a list of these',
        'invalid_parameter',
      ],
      [{ query_parameters: [1] }, 'query_parameters: must be an object', 'invalid_request'],
      [{ performance: 5 }, 'performance: must be text', 'invalid_request'],
    ])('refuses the body %j', async (body, error, code) => {
      const query = await server.givenQuery("SELECT '{{a}}'");
      expect(await server.post(`/query/${query}/execute`, body)).toMatchObject({ status: 400, body: { error, code } });
    });

    it('refuses parameters in the query string that are no JSON object', async () => {
      const query = await server.givenQuery("SELECT '{{a}}'");
      const answer = await server.send('POST', `/query/${query}/execute`, { query: { query_parameters: '[1]' } });
      expect(answer).toMatchObject({
        status: 400,
        body: {
          error: 'query_parameters: must be a JSON object of parameter name to value, such as {"limit": 10}',
          code: 'invalid_request',
        },
      });
    });

    it.each(['[]', 'null', '{}'])('takes %s for no parameters', async (none) => {
      const query = await server.givenQuery('SELECT 1 AS a');
      const started = await server.send('POST', `/query/${query}/execute`, { body: `{"query_parameters":${none}}` });
      expect(await rowsOf(started)).toEqual([{ a: 1 }]);
    });

    it.each(['hasOwnProperty', 'toString'])('knows no parameter %s', async (name) => {
      const query = await server.givenQuery('SELECT 1');
      const body = `{"query_parameters":{"${name}":"x"}}`;
      expect(await server.send('POST', `/query/${query}/execute`, { body })).toMatchObject({
        status: 400,
        body: { error: `unknown parameters (${name})`, code: 'unknown_parameters' },
      });
    });

    it.each([
      ['number', { type: 'number' }, '1 OR 1=1', 'must be a number, such as 12.5'],
      [
        'datetime',
        { type: 'datetime' },
        '2026-02-30',
        'must be a date or a time, such as 2026-03-01 or 2026-03-01 10:20:30',
      ],
      ['date', { type: 'date' }, 'yesterday', 'must be a date or a time, such as 2026-03-01 or 2026-03-01 10:20:30'],
      ['enum', { type: 'enum', enumOptions: ['FR', 'DE'] }, 'IT', 'must be one of FR, DE'],
    ])('checks a value of type %s', async (_, parameter, value, problem) => {
      const query = await server.givenQuery("SELECT '{{a}}'", { parameters: [{ key: 'a', ...parameter }] });
      expect(await server.post(`/query/${query}/execute`, { query_parameters: { a: value } })).toMatchObject({
        status: 400,
        body: { error: `parameter a: ${problem}`, code: 'invalid_parameter' },
      });
    });

    it('puts values of each type into the text, and defaults where none are given', async () => {
      const parameters = [
        { key: 'number', type: 'number', value: '7.5' },
        { key: 'day', type: 'date', value: '2026-03-01' },
        { key: 'country', type: 'enum', value: 'FR', enumOptions: ['FR', 'DE'] },
        { key: 'table', type: 'text', value: 'range(2)' },
      ];
      const sql =
        'SELECT {{number}} * 2 AS n, {{ day }} AS d, \'{{ country }}\' AS c, count(*) AS rows, "q{{country}}" FROM (SELECT *, 1 AS "qFR", 2 AS "qDE" FROM {{table}}) GROUP BY ALL';
      const query = await server.givenQuery(sql, { parameters });
      expect(await rowsOf(await server.post(`/query/${query}/execute`))).toEqual([
        { n: 15, d: '2026-03-01', c: 'FR', rows: 2, qFR: 1 },
      ]);
      const query_parameters = { number: -1, day: '2026-12-31 23:59:59', country: 'DE', table: 'range(3)' };
      expect(await rowsOf(await server.post(`/query/${query}/execute`, { query_parameters }))).toEqual([
        { n: -2, d: '2026-12-31 23:59:59', c: 'DE', rows: 3, qDE: 2 },
      ]);
    });

    it('keeps a quote in a value inside its literal', async () => {
      const query = await server.givenQuery("SELECT '{{a}}' AS a");
      const attack = "' UNION SELECT 'stolen";
      expect(await rowsOf(await server.post(`/query/${query}/execute`, { query_parameters: { a: attack } }))).toEqual([
        { a: attack },
      ]);
    });

    it('runs the current version of the query', async () => {
      const query = await server.givenQuery('SELECT 1 AS version');
      await server.patch(`/query/${query}`, { query_sql: 'SELECT 2 AS version' });
      expect(await rowsOf(await server.post(`/query/${query}/execute`))).toEqual([{ version: 2 }]);
    });

    it('lets other accounts run a public query, and hides a private one', async () => {
      const other = await server.givenKey('other');
      const open = await server.givenQuery('SELECT 1 AS a');
      const closed = await server.givenQuery('SELECT 1 AS a', { is_private: true });
      expect(await rowsOf(await server.post(`/query/${open}/execute`, {}, other), other)).toEqual([{ a: 1 }]);
      for (const id of [closed, 999_999]) {
        const answer = await server.post(`/query/${id}/execute`, {}, other);
        expect(answer).toMatchObject({ status: 404, body: { error: 'Query not found', code: 'query_not_found' } });
      }
    });

    it('refuses an archived query', async () => {
      const query = await server.givenQuery('SELECT 1');
      await server.post(`/query/${query}/archive`);
      expect(await server.post(`/query/${query}/execute`)).toMatchObject({
        status: 403,
        body: { error: 'Not allowed to execute this query', code: 'query_not_allowed' },
      });
      await server.post(`/query/${query}/unarchive`);
      const started = await server.post(`/query/${query}/execute`);
      expect(started.status).toBe(200);
      await server.untilEnded(started.body.execution_id);
    });
  });

  describe('POST /v1/sql/execute', () => {
    it('runs SQL that is not saved, as query 0', async () => {
      const started = await server.post('/sql/execute', { sql: 'SELECT 1 AS a', performance: 'medium' });
      expect(started).toMatchObject({ status: 200, body: STARTED });
      expect(await rowsOf(started)).toEqual([{ a: 1 }]);
      for (const call of ['status', 'results']) {
        const { body } = await server.get(`/execution/${started.body.execution_id}/${call}`);
        expect(body.query_id).toBe(0);
      }
    });

    it('puts parameters in', async () => {
      const sql = "SELECT {{a}} AS a, '{{b}}' AS b";
      expect(await rowsOf(await server.post('/sql/execute', { sql, query_parameters: { a: 1, b: 'x' } }))).toEqual([
        { a: 1, b: 'x' },
      ]);
    });

    it.each([
      [{}, 'sql: must be text'],
      [{ sql: '' }, 'sql: must not be empty'],
      [{ sql: 5 }, 'sql: must be text'],
      [{ sql: 'SELECT 1', query_parameters: { x: 1 } }, 'unknown parameters (x)'],
    ])('refuses the body %j', async (body, error) => {
      expect(await server.post('/sql/execute', body)).toMatchObject({ status: 400, body: { error } });
    });

    it("is its account's alone", async () => {
      const other = await server.givenKey('other');
      const id = await server.givenResult('SELECT 1');
      expect((await server.get(`/execution/${id}/results`, {}, other)).status).toBe(404);
    });
  });

  describe('a statement of 100,000 bytes', () => {
    const select = (bytes: number) => `SELECT '${'ü'.repeat((bytes - 14) / 2)}' AS a`;

    it('runs, saved or not', async () => {
      const length = (100_000 - 14) / 2;
      const query = await server.givenQuery(select(100_000));
      for (const started of [
        await server.post(`/query/${query}/execute`),
        await server.post('/sql/execute', { sql: select(100_000) }),
      ]) {
        expect(await rowsOf(started)).toEqual([{ a: 'ü'.repeat(length) }]);
      }
    });

    it('is the largest that is taken, before and after its parameters are put in', async () => {
      const query = await server.givenQuery("SELECT '{{a}}' AS a");
      const refusals = [
        await server.post('/query', { name: 'too large', query_sql: select(100_002) }),
        await server.patch(`/query/${query}`, { query_sql: select(100_002) }),
        await server.post('/sql/execute', { sql: select(100_002) }),
        await server.post(`/query/${query}/execute`, { query_parameters: { a: 'ü'.repeat(49_994) } }),
      ];
      expect(refusals.map(({ status, body }) => [status, body.error])).toEqual([
        [400, 'query_sql: must be at most 100000 bytes of UTF-8 long'],
        [400, 'query_sql: must be at most 100000 bytes of UTF-8 long'],
        [400, 'sql: must be at most 100000 bytes of UTF-8 long'],
        [400, 'The SQL may have at most 100000 bytes with its parameters put in'],
      ]);
    });
  });

  it('keeps the type of each column, and the range of wide integers, in the catalog', async () => {
    const id = await server.givenResult(`SELECT unnest([9007199254740993, -1]) AS n, 'x' AS t`);
    const execution = await server.app.get(ExecutionsRepository).find(id as ExecutionId);
    expect(execution?.result?.columns).toEqual([
      {
        name: 'n',
        type: { kind: 'scalar', name: 'BIGINT' },
        storedAs: 'same',
        isSafeInteger: false,
        range: { min: '-1', max: '9007199254740993' },
      },
      { name: 't', type: { kind: 'scalar', name: 'VARCHAR' }, storedAs: 'same', isSafeInteger: false },
    ]);
  });

  it('is refused with 429 and Retry-After while the account has as many waiting as it may, and possible again after', async () => {
    const ids: string[] = [];
    let refused: any;
    while (!refused) {
      const started = await server.post('/sql/execute', { sql: ENDLESS });
      if (started.status === 200) ids.push(started.body.execution_id);
      else refused = started;
    }
    expect(ids).toHaveLength(21);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body).toEqual({
      error:
        'The account has 20 executions waiting, and may not have more (MAX_QUEUED_PER_ACCOUNT): cancel one, or try again later',
      code: 'account_queue_full',
    });
    for (const id of ids.toReversed()) expect((await server.post(`/execution/${id}/cancel`)).body.success).toBe(true);
    const again = await server.post('/sql/execute', { sql: 'SELECT 1 AS a' });
    expect(await rowsOf(again)).toEqual([{ a: 1 }]);
  });
});
