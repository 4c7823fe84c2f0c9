import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SharedServer } from '../support/shared-server.js';

describe('queries', () => {
  let server: SharedServer;
  let other: string;

  beforeAll(async () => {
    server = await SharedServer.use();
    other = await server.givenKey('other');
  });

  afterAll(() => server.leave());

  const read = async (id: number) => (await server.get(`/query/${id}`)).body;
  const NOT_FOUND = { error: 'Query not found', code: 'query_not_found' };

  describe('POST /v1/query', () => {
    it('saves a query with all its fields', async () => {
      const saved = {
        name: 'orders',
        query_sql: "SELECT {{n}}, '{{who}}'",
        description: 'Them all',
        is_private: true,
        tags: ['sales'],
        parameters: [{ key: 'n', type: 'number', value: 5 }],
      };
      const { status, body } = await server.post('/query', saved);
      expect([status, body]).toEqual([200, { query_id: expect.any(Number) }]);
      expect(await read(body.query_id)).toEqual({
        ...saved,
        query_id: body.query_id,
        parameters: [
          { key: 'n', type: 'number', value: '5', enumOptions: [], description: '' },
          { key: 'who', type: 'text', value: '', enumOptions: [], description: '' },
        ],
        version: 1,
        query_engine: 'duckdb',
        is_archived: false,
        is_unsaved: false,
        owner: 'demo',
      });
    });

    it('answers on a path with a trailing slash, whatever the Content-Type', async () => {
      const body = JSON.stringify({ name: 'slash', query_sql: 'SELECT 1' });
      const headers = { 'content-type': 'text/plain' };
      expect(await server.send('POST', '/query/', { body, headers })).toMatchObject({
        status: 200,
        body: { query_id: expect.any(Number) },
      });
    });

    it.each([
      ['{', 'Invalid request body payload'],
      ['[]', 'Invalid request body payload'],
      ['', 'name: must be text'],
      [
        '{"name":"n","query_sql":"SELECT 1","parameters":[{"key":"n","type":"number","value":"x"}]}',
        'parameter n: must be a number',
      ],
    ])('refuses the body %j', async (body, error) => {
      expect(await server.send('POST', '/query', { body })).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining(error) },
      });
    });

    it('refuses SQL that cannot be parsed, with its place in the text', async () => {
      const query_sql = "SELECT '{{a_long_name}}',\n  1 frm a b";
      const { status, body } = await server.post('/query', { name: 'broken', query_sql });
      expect([status, body]).toEqual([
        400,
        {
          error: 'query_sql: syntax error at or near "a", at line 2, column 9',
          code: 'sql_syntax',
          line: 2,
          column: 9,
          offset: query_sql.indexOf('a b'),
          length: 1,
        },
      ]);
      const { body: listed } = await server.get('/queries');
      expect(listed.queries.map(({ name }: { name: string }) => name)).not.toContain('broken');
    });

    it('saves SQL whose parameters stand for syntax', async () => {
      const query_sql = 'SELECT a {{operator}} b FROM {{table}} WHERE {{condition}}';
      expect((await server.post('/query', { name: 'open', query_sql })).status).toBe(200);
    });

    it('needs a key that may write', async () => {
      const reader = await server.givenKey('demo', { scope: 'read' });
      expect(await server.post('/query', {}, reader)).toMatchObject({
        status: 403,
        body: { error: 'This API key may not save or alter queries', code: 'scope_missing' },
      });
    });
  });

  describe('GET /v1/query/{query_id}', () => {
    it("shows another account's query if it is public", async () => {
      const id = await server.givenQuery('SELECT 1');
      expect(await server.get(`/query/${id}`, {}, other)).toMatchObject({ status: 200, body: { owner: 'demo' } });
    });

    it('does not find a private query of another account, or none at all', async () => {
      const id = await server.givenQuery('SELECT 1', { is_private: true });
      expect(await server.get(`/query/${id}`, {}, other)).toMatchObject({ status: 404, body: NOT_FOUND });
      expect(await server.get('/query/999999')).toMatchObject({ status: 404, body: NOT_FOUND });
    });

    it.each(['abc', '0', '-1', '1e3', '01'])('refuses the id %s', async (id) => {
      expect(await server.get(`/query/${id}`)).toMatchObject({
        status: 400,
        body: { error: `The requested query ID (ID: ${id}) is invalid.` },
      });
    });

    it('refuses a bad key before it looks at the id', async () => {
      const refusal = { status: 401, body: { error: 'invalid API Key' } };
      expect(await server.get('/query/abc', {}, 'wrong')).toMatchObject(refusal);
    });
  });

  describe('PATCH /v1/query/{query_id}', () => {
    it('changes what is given, empties what is an empty list, leaves the rest', async () => {
      const id = await server.givenQuery('SELECT 1', { tags: ['a'], description: 'kept' });
      expect((await server.patch(`/query/${id}`, { name: 'renamed', tags: [] })).body).toEqual({ query_id: id });
      expect(await read(id)).toMatchObject({ name: 'renamed', tags: [], description: 'kept', version: 1 });
    });

    it('refuses SQL that cannot be parsed with the parameters that it has then', async () => {
      const id = await server.givenQuery('SELECT 1 {{end}}', { parameters: [{ key: 'end', value: 'LIMIT 1' }] });
      const refused = async (changes: object) => (await server.patch(`/query/${id}`, changes)).body;
      expect(await refused({ query_sql: 'SELECT 1 frm a {{end}}' })).toMatchObject({ code: 'sql_syntax', column: 14 });
      const parameters = [{ key: 'end', value: 'LIMIT 1 2' }];
      expect(await refused({ parameters })).toMatchObject({ code: 'sql_syntax', column: 10, parameter: 'end' });
      expect((await server.patch(`/query/${id}`, { name: 'renamed' })).status).toBe(200);
      expect((await server.get(`/query/${id}`)).body).toMatchObject({ name: 'renamed', version: 1 });
    });

    it('makes a new version of another text', async () => {
      const id = await server.givenQuery('SELECT 1');
      await server.patch(`/query/${id}`, { query_sql: 'SELECT 2' });
      expect(await read(id)).toMatchObject({ query_sql: 'SELECT 2', version: 2 });
    });

    it.each([
      ['2001-03-01', '2001-03-01 00:00:00'],
      ['2001-03-01T10:20:30.5+02:00', '2001-03-01 08:20:30'],
    ])('gives the datetime default %s back as clients parse it, and runs it as it is', async (value, written) => {
      const id = await server.givenQuery('SELECT {{at}} AS at', { parameters: [{ key: 'at', type: 'date', value }] });
      expect((await read(id)).parameters).toMatchObject([{ key: 'at', type: 'datetime', value: written }]);
      const execution = await server.givenExecution(id);
      expect((await server.get(`/execution/${execution}/results`)).body.result.rows).toEqual([{ at: value }]);
    });

    it('takes parameters as an object of name to value', async () => {
      const id = await server.givenQuery('SELECT {{n}}');
      await server.patch(`/query/${id}`, { query_parameters: { n: 5 } });
      expect(await read(id)).toMatchObject({ parameters: [{ key: 'n', type: 'number', value: '5' }], version: 2 });
    });

    it("refuses another account's query", async () => {
      const id = await server.givenQuery('SELECT 1');
      expect(await server.patch(`/query/${id}`, { name: 'mine' }, other)).toMatchObject({
        status: 403,
        body: { error: 'Not allowed to alter this query' },
      });
    });
  });

  describe("another account's private query", () => {
    it.each([
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/archive'],
      ['POST', '/unarchive'],
      ['POST', '/private'],
      ['POST', '/unprivate'],
      ['POST', '/execute'],
      ['GET', '/results'],
      ['GET', '/results/csv'],
    ])('is as one that does not exist: %s /v1/query/{query_id}%s', async (method, call) => {
      const id = await server.givenQuery('SELECT 1', { is_private: true });
      await server.givenExecution(id);
      const before = await read(id);
      const body = method === 'GET' ? undefined : '{"name":"mine"}';
      for (const archived of [false, true]) {
        if (archived) await server.post(`/query/${id}/archive`);
        const [hidden, missing] = await Promise.all(
          [id, 999_999].map((one) => server.send(method, `/query/${one}${call}`, { body, key: other })),
        );
        expect([hidden?.status, hidden?.body]).toEqual([404, NOT_FOUND]);
        expect([missing?.status, missing?.text]).toEqual([404, hidden?.text]);
      }
      expect(await read(id)).toEqual({ ...before, is_archived: true });
    });
  });

  describe('POST /v1/query/{query_id}/archive, /unarchive, /private, /unprivate', () => {
    it.each([
      ['archive', 'unarchive', 'is_archived'],
      ['private', 'unprivate', 'is_private'],
    ])('%s and %s turn %s on and off', async (on, off, field) => {
      const id = await server.givenQuery('SELECT 1');
      expect(await server.post(`/query/${id}/${on}`)).toMatchObject({ status: 200, body: { query_id: id } });
      expect(await read(id)).toMatchObject({ [field]: true, version: 1 });
      await server.post(`/query/${id}/${off}`);
      expect(await read(id)).toMatchObject({ [field]: false });
    });

    it('an archived query cannot be executed', async () => {
      const id = await server.givenQuery('SELECT 1');
      await server.post(`/query/${id}/archive`);
      expect(await server.post(`/query/${id}/execute`)).toMatchObject({
        status: 403,
        body: { error: 'Not allowed to execute this query' },
      });
    });

    it("refuse another account's query", async () => {
      const id = await server.givenQuery('SELECT 1');
      expect((await server.post(`/query/${id}/private`, undefined, other)).status).toBe(403);
    });
  });

  describe('GET /v1/queries', () => {
    it("lists the account's own queries, newest first, page by page", async () => {
      const lister = await server.givenKey('lister');
      for (const name of ['first', 'second', 'third'])
        await server.givenQuery('SELECT 1', { name, tags: ['t'] }, lister);
      const { body } = await server.get('/queries', { limit: 2, offset: 1 }, lister);
      expect(body).toMatchObject({ queries: [{ name: 'second' }, { name: 'first' }], total: 3 });
      expect(body.queries[0]).toEqual({
        id: expect.any(Number),
        name: 'second',
        description: '',
        owner: 'lister',
        tags: ['t'],
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: expect.stringMatching(/Z$/),
      });
    });

    it('lists 20 where no limit is given, and at most 100', async () => {
      const lister = await server.givenKey('prolific');
      for (let count = 0; count < 101; count += 1) await server.givenQuery('SELECT 1', {}, lister);
      const listed = async (limit?: number) => (await server.get('/queries', { limit }, lister)).body;
      const [unlimited, many] = [await listed(), await listed(500)];
      expect([unlimited.queries.length, many.queries.length, many.total]).toEqual([20, 100, 101]);
    });

    it('takes an empty limit for none', async () => {
      for (const name of ['a', 'b', 'c']) await server.givenQuery('SELECT 1', { name });
      expect((await server.get('/queries', { limit: '', offset: '' })).body.queries.length).toBeGreaterThan(2);
      expect((await server.get('/queries', { limit: 0 })).body.queries).toEqual([]);
    });

    it.each<Record<string, string | number>>([{ limit: 'x' }, { limit: -1 }, { limit: '1e1' }, { offset: 1.5 }])(
      'refuses the page %j',
      async (page) => {
        expect((await server.get('/queries', page)).status).toBe(400);
      },
    );
  });

  describe('POST /v1/query/{query_id}/execute with parameters', () => {
    const execute = (id: number, query_parameters: unknown) =>
      server.post(`/query/${id}/execute`, { query_parameters });

    it('puts the values in', async () => {
      const id = await server.givenQuery("SELECT {{n}} AS n, '{{who}}' AS who", {
        parameters: [{ key: 'n', type: 'number', value: '1' }, { key: 'who' }],
      });
      const execution = await server.givenExecution(id, { query_parameters: { who: "O'Hara'; --" } });
      expect((await server.get(`/execution/${execution}/results`)).body.result.rows).toEqual([
        { n: 1, who: "O'Hara'; --" },
      ]);
    });

    it.each([
      [{ other: 1, n: 1, more: 2 }, 'unknown parameters (other, more)'],
      [{ n: 'x' }, 'parameter n: must be a number, such as 12.5'],
      [{}, 'parameter n: has no default: give it a value'],
    ])('refuses the values %j', async (values, error) => {
      const id = await server.givenQuery('SELECT {{n}}', { parameters: [{ key: 'n', type: 'number' }] });
      expect(await execute(id, values)).toMatchObject({ status: 400, body: { error } });
    });
  });
});
