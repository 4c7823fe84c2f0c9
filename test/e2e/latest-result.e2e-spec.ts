import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/auth/accounts.service.js';
import { Catalog } from '../../src/catalog/catalog.js';
import { TablesService } from '../../src/uploads/tables.service.js';
import type { Answer } from '../support/api-client.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { ENDLESS } from '../support/wire.js';

const NONE = {
  error: 'not found: No execution found for the latest version of the given query',
  code: 'no_latest_result',
};
const NOT_FOUND = { error: 'Query not found', code: 'query_not_found' };
const CALLS = ['results', 'results/csv'];

describe('latest result of a query', () => {
  let server: TestServer;
  let other: string;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '2' });
    other = await server.givenKey('other');
  });
  afterAll(() => stopWithoutLeaks(server));

  const read = (query: number, parameters: Record<string, string | string[]> = {}, key = server.key) =>
    server.get(`/query/${query}/results`, parameters, key);

  async function expectAnswer(path: string, key: string, status: number, body: object): Promise<void> {
    for (const call of CALLS) {
      const answer = await server.get(`${path}/${call}`, {}, key);
      expect([answer.status, answer.body]).toEqual([status, body]);
    }
  }

  describe.each(CALLS)('GET /v1/query/{query_id}/%s', (call) => {
    it('reads the newest run, with the same parameters as by execution id', async () => {
      const query = await server.givenQuery("SELECT '{{word}}' AS word, range AS n FROM range(5)");
      await server.givenExecution(query, { query_parameters: { word: 'old' } });
      const newest = await server.givenExecution(query, { query_parameters: { word: 'new' } });
      const parameters = { limit: 2, offset: 1, sort_by: 'n desc', filters: 'n > 0', columns: 'word,n' };
      const latest = await server.get(`/query/${query}/${call}`, parameters);
      const byId = await server.get(`/execution/${newest}/${call}`, parameters);
      expect(latest.status).toBe(200);
      expect(latest.text).toBe(byId.text);
    });

    it('names the execution in next_uri, so that all pages come from one run', async () => {
      const query = await server.givenQuery("SELECT '{{word}}' AS word, range AS n FROM range({{rows}})");
      const first = await server.givenExecution(query, { query_parameters: { word: 'first', rows: '7' } });
      const parameters = { limit: 2, filters: "word <> 'x' AND n > 0", sort_by: 'n desc', columns: 'n,word' };
      let page = await server.get(`/query/${query}/${call}`, { ...parameters, 'params.word': ['first'] });
      // Someone runs the query between two pages.
      await server.givenExecution(query, { query_parameters: { word: 'second', rows: '3' } });
      const rows = rowsOf(page);
      for (let uri = nextUri(page); uri; uri = nextUri(page)) {
        const { origin, pathname, searchParams } = new URL(uri);
        expect(`${origin}${pathname}`).toBe(`${server.url}/api/v1/execution/${first}/${call}`);
        expect(Object.fromEntries(searchParams)).toEqual({
          ...parameters,
          limit: '2',
          'params.word': 'first',
          offset: String(rows.length),
        });
        page = await server.get(`/execution/${first}/${call}`, Object.fromEntries(searchParams));
        rows.push(...rowsOf(page));
      }
      expect(rows).toEqual([6, 5, 4, 3, 2, 1].map((n) => ({ n, word: 'first' })));
    });
  });

  it('is 404 while there is no run, and for an unknown query', async () => {
    await expectAnswer(`/query/${await server.givenQuery('SELECT 1')}`, server.key, 404, NONE);
    await expectAnswer('/query/999999', server.key, 404, NOT_FOUND);
    await expectAnswer('/query/x', server.key, 400, {
      error: 'The requested query ID (ID: x) is invalid.',
      code: 'invalid_query_id',
    });
  });

  it('passes over runs that wait, run, failed or were cancelled', async () => {
    const query = await server.givenQuery("SELECT CAST('{{n}}' AS INTEGER) AS n");
    const endless = await server.givenQuery(ENDLESS);
    await server.givenExecution(query, { query_parameters: { n: 1 } });
    await server.givenExecution(query, { query_parameters: { n: 'no number' } });
    expect((await read(query)).body.result.rows).toEqual([{ n: 1 }]);

    const running = (await server.post(`/query/${endless}/execute`)).body.execution_id;
    await server.untilStatus(running, ({ state }) => state === 'QUERY_STATE_EXECUTING');
    await expectAnswer(`/query/${endless}`, server.key, 404, NONE);
    await server.post(`/execution/${running}/cancel`);
    await expectAnswer(`/query/${endless}`, server.key, 404, NONE);
  });

  it('is narrowed by params.<name> to runs with these values', async () => {
    const query = await server.givenQuery("SELECT '{{a}}' AS a, {{n}} AS n", {
      parameters: [{ key: 'n', type: 'number', value: '7' }],
    });
    for (const query_parameters of [{ a: 'x' }, { a: 'y', n: 8 }, { a: 'x', n: 9 }, { a: 'l & m' }]) {
      await server.givenExecution(query, { query_parameters });
    }
    const rows = async (parameters: Record<string, string>) => (await read(query, parameters)).body.result?.rows;
    expect(await rows({})).toEqual([{ a: 'l & m', n: 7 }]);
    expect(await rows({ 'params.a': 'x' })).toEqual([{ a: 'x', n: 9 }]);
    expect(await rows({ 'params.a': 'x', 'params.n': '7' })).toEqual([{ a: 'x', n: 7 }]);
    expect(await rows({ 'params.n': '8' })).toEqual([{ a: 'y', n: 8 }]);
    const without: Record<string, string>[] = [{ 'params.a': 'z' }, { 'params.a': 'y', 'params.n': '7' }];
    for (const parameters of without) {
      expect(await read(query, parameters)).toMatchObject({ status: 404, body: NONE });
    }
  });

  it('is narrowed by numbers and datetimes by value, however they are written', async () => {
    const query = await server.givenQuery("SELECT {{n}} AS n, {{at}} AS at, '{{word}}' AS word", {
      parameters: [
        { key: 'n', type: 'number', value: '2' },
        { key: 'at', type: 'datetime', value: '2001-03-01' },
      ],
    });
    const two = await server.givenExecution(query, { query_parameters: { word: '2' } });
    const hundred = await server.givenExecution(query, { query_parameters: { n: '1e2', word: '100' } });
    const idOf = async (parameters: Record<string, string>) => (await read(query, parameters)).body.execution_id;
    expect(await idOf({ 'params.n': '2.0' })).toBe(two);
    expect(await idOf({ 'params.n': '100' })).toBe(hundred);
    expect(await idOf({ 'params.at': '2001-03-01 00:00:00', 'params.n': '+2' })).toBe(two);
    expect(await idOf({ 'params.n': '2.0000000000000000001' })).toBeUndefined();
    expect(await idOf({ 'params.word': '2.0' })).toBeUndefined();
  });

  it('refuses names that are no parameters of the query, for every account', async () => {
    const query = await server.givenQuery("SELECT '{{origin}}' AS origin");
    await server.givenExecution(query, { query_parameters: { origin: 'LAX' } });
    const body = { error: 'unknown parameters (orign, more)', code: 'unknown_parameters' };
    for (const call of CALLS) {
      for (const key of [server.key, other]) {
        const wrong = { 'params.orign': 'LAX', 'params.origin': 'LAX', 'params.more': '1' };
        expect(await server.get(`/query/${query}/${call}`, wrong, key)).toMatchObject({ status: 400, body });
      }
    }
  });

  it('is narrowed by a list in repeated params.<name>, which next_uri repeats', async () => {
    const query = await server.givenQuery("SELECT * FROM (VALUES ('a'), ('b'), ('c')) AS t (x) WHERE x IN ({{list}})");
    await server.givenExecution(query, { query_parameters: { list: ['a', 'b'] } });
    await server.givenExecution(query, { query_parameters: { list: ['c', 'b'] } });
    const { body } = await read(query, { 'params.list': ['a', 'b'], limit: '1' });
    expect(body.result.rows).toEqual([{ x: 'a' }]);
    const { pathname, search } = new URL(body.next_uri);
    const next = await server.get(`${pathname.slice('/api/v1'.length)}${search}`);
    expect(next.body.result.rows).toEqual([{ x: 'b' }]);
    expect(next.body.execution_id).toBe(body.execution_id);
  });

  it('can be read of an archived query', async () => {
    const query = await server.givenQuery('SELECT 1 AS a');
    await server.givenExecution(query);
    await server.post(`/query/${query}/archive`);
    expect((await read(query)).body.result.rows).toEqual([{ a: 1 }]);
  });

  it("is anyone's of a public query, whoever ran it, and the owner's alone of a private one", async () => {
    const query = await server.givenQuery("SELECT '{{who}}' AS who");
    const own = await server.givenExecution(query, { query_parameters: { who: 'author' } });
    const foreign = await server.givenExecution(query, { query_parameters: { who: 'other' } }, other);
    expect((await read(query)).body.execution_id).toBe(foreign);
    expect((await read(query, {}, other)).body.result.rows).toEqual([{ who: 'other' }]);

    await server.post(`/query/${query}/private`);
    await expectAnswer(`/query/${query}`, other, 404, NOT_FOUND);
    expect((await read(query)).body.execution_id).toBe(own);
    // Each still has what it ran itself, by its id.
    await expectAnswer(`/execution/${own}`, other, 404, {
      error: `The requested execution ID (ID: ${own}) was not found.`,
      code: 'execution_not_found',
    });
    expect((await server.get(`/execution/${foreign}/results`, {}, other)).body.result.rows).toEqual([{ who: 'other' }]);
  });

  it('passes over runs of others that read a private table', async () => {
    await givenPrivateTable('secrets');
    const query = await server.givenQuery('SELECT {{n}} AS n, count(*) > 0 AS any_rows FROM {{source}}');
    const shared = { n: 1, source: 'range(3)' };
    const visible = await server.givenExecution(query, { query_parameters: shared });
    const hidden = await server.givenExecution(query, { query_parameters: { n: 2, source: 'secrets' } });
    expect((await read(query)).body).toMatchObject({
      execution_id: hidden,
      result: { rows: [{ n: 2, any_rows: true }] },
    });
    expect((await read(query, {}, other)).body).toMatchObject({ execution_id: visible });
    await expectAnswer(`/execution/${hidden}`, other, 404, {
      error: `The requested execution ID (ID: ${hidden}) was not found.`,
      code: 'execution_not_found',
    });
  });

  it('does not count SQL that is not saved', async () => {
    await server.givenResult('SELECT 1');
    await expectAnswer(`/query/${await server.givenQuery('SELECT 1')}`, server.key, 404, NONE);
  });

  const nextUri = ({ body, headers }: Answer) => body?.next_uri ?? headers.get('x-service-next-uri');

  /** The rows of a page with the columns `n` and `word`, of JSON or CSV. */
  function rowsOf({ body, text }: Answer): object[] {
    if (body) return body.result.rows;
    const lines = text.trimEnd().split('\n').slice(1);
    return lines.map((line) => ({ n: Number(line.split(',')[0]), word: line.split(',')[1] }));
  }

  /** Gives the first account a private table. */
  async function givenPrivateTable(name: string): Promise<void> {
    const [account] = await server.app.get(AccountsService).list();
    if (!account) throw new Error('There is no account');
    await server.app.get(TablesService).install(account, {
      name,
      description: '',
      rowCount: 1,
      columns: [],
      path: 'data/sample/weather.parquet',
    });
    await server.app.get(Catalog).updateTable('tables').set({ is_private: 1 }).where('name', '=', name).execute();
  }
});
