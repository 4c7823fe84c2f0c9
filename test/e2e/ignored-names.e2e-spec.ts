import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SharedServer } from '../support/shared-server.js';
import { ENDLESS } from '../support/wire.js';

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: { type?: string } }[];
}

describe('names in a request', () => {
  let server: SharedServer;
  let query: number;
  let execution: string;

  beforeAll(async () => {
    server = await SharedServer.use();
    query = await server.givenQuery("SELECT '{{word}}' AS word, range AS n FROM range(3)");
    await server.post('/table/create', { table_name: 'a', schema: [{ name: 'n', type: 'integer' }] });
    execution = await server.givenExecution(query, { query_parameters: { word: 'a' } });
  });
  afterAll(() => server.leave());

  const results = () => [`/execution/${execution}/results`, `/query/${query}/results`];

  describe('that are unknown', () => {
    it('are listed in the warnings of JSON results', async () => {
      for (const path of results()) {
        const answer = await server.get(path, { sortby: 'n', Limit: '1', page: '2', csv_null: 'x', limit: '5' });
        expect(answer.status).toBe(200);
        expect(answer.body.warnings).toEqual([
          'unknown parameter sortby was ignored, did you mean sort_by?',
          'unknown parameter Limit was ignored, did you mean limit?',
          'unknown parameter page was ignored',
          'unknown parameter csv_null was ignored',
        ]);
        expect(answer.body.result.rows).toHaveLength(3);
      }
    });

    it('are listed where there is no result yet', async () => {
      const { body } = await server.post('/sql/execute', { sql: ENDLESS });
      const answer = await server.get(`/execution/${body.execution_id}/results`, { filter: 'n > 1' });
      expect(answer.body).not.toHaveProperty('result');
      expect(answer.body.warnings).toEqual(['unknown parameter filter was ignored, did you mean filters?']);
      await server.post(`/execution/${body.execution_id}/cancel`);
    });

    it('are listed in the reply of execute, of the query string and of the body', async () => {
      const sql = 'SELECT 1';
      const calls: [string, object][] = [
        [`/query/${query}/execute`, { parameters: { word: 'b' }, query_parameters: { word: 'a' } }],
        ['/sql/execute', { sql, parameters: {} }],
      ];
      for (const [path, body] of calls) {
        const answer = await server.send('POST', path, {
          query: { 'params[word]': 'b', perfomance: 'large' },
          body: JSON.stringify({ ...body, toString: 1, name: 'x' }),
        });
        expect([answer.status, answer.body]).toEqual([
          200,
          {
            execution_id: expect.any(String),
            state: 'QUERY_STATE_PENDING',
            warnings: [
              'unknown parameter params[word] was ignored, did you mean params.word?',
              'unknown parameter perfomance was ignored, did you mean performance?',
              'unknown field parameters was ignored, did you mean query_parameters?',
              'unknown field toString was ignored',
              'unknown field name was ignored',
            ],
          },
        ]);
      }
    });

    it('are not listed if there are none: the key and params.<name> are known', async () => {
      const parameters = { api_key: server.key, 'params.word': 'a', limit: 1, allows_partial_results: true };
      for (const path of results()) {
        const { body } = await server.get(path, parameters, '');
        expect(body).not.toHaveProperty('warnings');
        const next = Object.fromEntries(new URL(body.next_uri).searchParams);
        expect((await server.get(`/execution/${execution}/results`, next)).body).not.toHaveProperty('warnings');
      }
      const body = JSON.stringify({ performance: 'medium' });
      const started = await server.send('POST', `/query/${query}/execute`, {
        query: { 'params.word': 'a', query_parameters: '{}', performance: 'medium', api_key: server.key },
        body,
      });
      expect(started.body).toEqual({ execution_id: expect.any(String), state: 'QUERY_STATE_PENDING' });
    });

    it('fill no more than a few lines, however many and long they are', async () => {
      const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 'y']));
      const { body } = await server.get(results()[0] ?? '', { ['é'.repeat(2_000)]: '1', ...many });
      expect(body.warnings).toHaveLength(11);
      expect(body.warnings[0]).toBe(`unknown parameter ${'é'.repeat(60)}… was ignored`);
      expect(body.warnings[10]).toBe('491 more unknown names were ignored');
      const fields = JSON.stringify({ sql: 'SELECT 1', ...many });
      const started = await server.send('POST', '/sql/execute', { body: fields });
      expect(started.body.warnings).toHaveLength(11);
    });

    it('do no harm to the rows of a page', async () => {
      const { body } = await server.get(results()[0] ?? '', { '"rows":[': '1', limit: 1, columns: 'n' });
      expect(body.warnings).toEqual(['unknown parameter "rows":[ was ignored']);
      expect(body.result.rows).toEqual([{ n: 0 }]);
    });
  });

  describe('that have one value, given several times', () => {
    it.each(['filters', 'limit', 'sort_by', 'columns', 'offset', 'sample_count', 'sample_seed'])(
      'are refused in all results calls: %s',
      async (name) => {
        for (const path of results().flatMap((one) => [one, `${one}/csv`])) {
          const answer = await server.get(path, { [name]: ['1', '1'] });
          expect(answer.status).toBe(400);
          expect(answer.body).toEqual({ error: `${name}: must have one value, not several`, code: 'invalid_request' });
        }
      },
    );

    it('are all named', async () => {
      const { body } = await server.get(results()[0] ?? '', { limit: ['', '5'], offset: '1', columns: ['n', 'word'] });
      expect(body.error).toBe('limit: must have one value, not several; columns: must have one value, not several');
    });

    it('are refused in every call', async () => {
      const document = await fetch(`${server.url}/api/openapi.json`);
      const { paths } = (await document.json()) as { paths: Record<string, Record<string, Operation>> };
      const checked: string[] = [];
      for (const [path, calls] of Object.entries(paths)) {
        for (const [method, { parameters = [] }] of Object.entries(calls)) {
          const single = parameters.filter(({ name, in: place }) => place === 'query' && name !== 'params');
          for (const { name } of single) {
            checked.push(`${method} ${path} ${name}`);
            const answer = await sendTwice(method.toUpperCase(), path, name);
            expect([path, answer.status, answer.body.error]).toEqual([
              path,
              400,
              expect.stringContaining(`${name}: must have one value, not several`),
            ]);
          }
        }
      }
      expect(checked.length).toBeGreaterThan(45);
    });

    it('are refused after a bad key', async () => {
      expect((await server.get('/queries', { limit: ['1', '2'] }, 'bad')).status).toBe(401);
    });

    async function sendTwice(method: string, path: string, name: string) {
      const address = path
        .replace('/api/v1', '')
        .replace('{query_id}', String(query))
        .replace('{execution_id}', execution)
        .replace('{namespace}', 'demo')
        .replace('{table}', 'a');
      const isUpload = /upload.*csv|insert$/.test(path);
      const body = isUpload ? 'n\n1\n' : path.includes('/sql/') ? '{"sql":"SELECT 1"}' : '{}';
      return server.send(method, address, {
        query: { table_name: 'a', [name]: ['1', '2'] },
        headers: { 'content-type': isUpload ? 'text/csv' : 'application/json' },
        ...(method === 'POST' && { body }),
      });
    }
  });
});
