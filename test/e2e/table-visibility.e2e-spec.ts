import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { failureOf, rowsOf } from '../support/rows-of.js';
import { SharedServer } from '../support/shared-server.js';

let server: SharedServer;
let ada: string;
let bob: string;

beforeAll(async () => {
  server = await SharedServer.use();
  ada = await server.givenKey('ada');
  bob = await server.givenKey('bob');
  for (const [table_name, is_private] of [
    ['open', false],
    ['secret', true],
  ] as const)
    await server.post('/table/upload/csv', { table_name, data: `whose\nada ${table_name}\n`, is_private }, ada);
  await server.post('/table/upload/csv', { table_name: 'own', data: 'whose\nbob own\n' }, bob);
});

afterAll(() => server.leave());

describe('the tables that a run can name', () => {
  it.each(['open', 'secret', 'ada.open', 'ada.secret', '"ada"."secret"', 'ADA.SECRET', 'memory.ada.secret'])(
    'are for their own account: %s',
    async (name) => {
      expect(await rowsOf(server, `SELECT whose FROM ${name}`, ada)).toEqual([
        { whose: expect.stringMatching(/^ada/) },
      ]);
    },
  );

  it('are for others the public ones, by their full name', async () => {
    expect(await rowsOf(server, 'SELECT whose FROM ada.open', bob)).toEqual([{ whose: 'ada open' }]);
    expect(await failureOf(server, 'SELECT whose FROM open', bob)).toContain('open');
  });

  it.each(['ada.secret', '"ada"."secret"', 'ada.SECRET', 'memory.ada.secret', 'secret', 'main.secret'])(
    'are for others not the private ones, which fail like those that do not exist: %s',
    async (name) => {
      const failure = await failureOf(server, `SELECT * FROM ${name}`, bob);
      const missing = await failureOf(server, `SELECT * FROM ${name.replace(/secret/i, 'nowhr')}`, bob);
      expect(failure.replaceAll(/secret/gi, '_')).toBe(missing.replaceAll(/nowhr/gi, '_'));
    },
  );

  it.each([
    'SHOW TABLES',
    'FROM information_schema.tables',
    'FROM duckdb_tables()',
    'FROM duckdb_views()',
    "FROM query('SELECT * FROM ada.secret')",
    "FROM query_table('ada.secret')",
    'DESCRIBE ada.secret',
    'SUMMARIZE ada.secret',
    'SELECT (SELECT whose FROM ada.secret) FROM own',
    'WITH t AS (FROM ada.secret) FROM t',
  ])('cannot be learned of in another way: %s', async (sql) => {
    const failure = await failureOf(server, sql, bob);
    expect(failure).not.toMatch(/open|bob|whose/i);
  });

  it('are named where one is not found and another has a name like it, if the account may see that one', async () => {
    const failing = (table: string, key: string) => failureOf(server, `SELECT * FROM ${table}`, key);
    expect(await failing('opeen', ada)).toContain('Table "opeen" does not exist. Did you mean open?');
    expect(await failing('secrt', ada)).toContain('Did you mean secret?');
    expect(await failing('own, ada.opeen', bob)).toContain('Table "ada.opeen" does not exist. Did you mean ada.open?');
    expect(await failing('bob.open', bob)).toContain('Did you mean ada.open?');
    for (const name of ['ada.secrt', 'secrt', 'bob.secret', 'ada.secret'])
      expect(await failing(name, bob)).toMatch(/^[^.]*Table "[\w.]+" does not exist$/);
  });
});

describe('the result of a run that read a private table', () => {
  it("is its own context's alone, though the query is public", async () => {
    const query = await server.givenQuery('SELECT whose FROM secret', {}, ada);
    const execution = await server.givenExecution(query, {}, ada);
    expect((await server.get(`/execution/${execution}/results`, {}, ada)).status).toBe(200);
    expect((await server.get(`/execution/${execution}/results`, {}, bob)).status).toBe(404);
    expect((await server.get(`/query/${query}/results`, {}, bob)).status).toBe(404);
  });
});
