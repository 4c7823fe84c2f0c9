import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Program, type ProgramExit, untilNobodyWorksIn } from '../support/program.js';

const SQL = `
  SELECT * FROM (VALUES
    ('-0.0'::DOUBLE, 1.10::DECIMAL(4,2), 'first', 9007199254740993::HUGEINT, 'a "quoted" \\ word'),
    ('1e300'::DOUBLE, 2.00::DECIMAL(4,2), 'second', 1, 'two' || chr(10) || 'lines, ' || chr(8232) || 'é'),
    ('nan'::DOUBLE, 0.30::DECIMAL(4,2), 'third', NULL, ']}}')
  ) AS t (b, "10", "1", wide, """rows"":[")`;

const JSON_TEXT = `[
{"b":-0.0,"10":1.1,"1":"first","wide":"9007199254740993","\\"rows\\":[":"a \\"quoted\\" \\\\ word"},
{"b":1e300,"10":2.0,"1":"second","wide":"1","\\"rows\\":[":"two\\nlines, \u2028é"},
{"b":"NaN","10":0.3,"1":"third","wide":null,"\\"rows\\":[":"]}}"}
]
`;

const CSV_TEXT = `b,10,1,wide,"""rows"":["
-0.0,1.10,first,9007199254740993,"a ""quoted"" \\ word"
1e300,2.00,second,1,"two
lines, \u2028é"
NaN,0.30,third,,]}}
`;

describe('eider query run', () => {
  let folder: string;
  let settings: Record<string, string>;
  let server: Program;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eider-query-run-'));
    // Nothing listens there: the command talks with the service itself.
    settings = { DATA_DIR: join(folder, 'data'), MAX_PAGE_ROWS: '2', PUBLIC_URL: 'http://127.0.0.1:1' };
    server = await Program.serve(settings);
    await givenQuery(1, SQL);
    await givenQuery(2, 'SELECT 1 AS n LIMIT 0');
    await givenQuery(3, "SELECT '{{word}}' AS word, range AS n FROM range(3)");
    await givenQuery(4, "SELECT error('no luck') AS n");
  });
  afterAll(async () => {
    await server.stop('SIGTERM');
    await untilNobodyWorksIn(folder);
    await rm(folder, { recursive: true });
  });

  async function givenQuery(id: number, sql: string): Promise<void> {
    const answer = await server.fetch('/query', { method: 'POST', body: { name: `query ${id}`, query_sql: sql } });
    expect(await answer.json()).toEqual({ query_id: id });
  }

  const run = (...words: string[]): Promise<ProgramExit> => Program.run(['query', 'run', ...words], settings).exited;

  it('writes every page as the engine wrote it, with --format json', async () => {
    expect(await run('1', '--format', 'json')).toEqual({ code: 0, signal: null, output: JSON_TEXT });
  });

  it('is listed as started by a command of the account', async () => {
    await run('1');
    const listed = async (query: string) =>
      ((await (await server.fetch(`/executions?${query}`)).json()) as { executions: object[] }).executions;
    const [execution] = await listed('limit=1');
    expect(execution).toMatchObject({ query_id: 1, trigger: 'cli', submitted_by: 'demo' });
    const started = await server.execute('SELECT 1');
    await server.untilEnded(started);
    expect(await listed('trigger=api')).toMatchObject([{ execution_id: started, trigger: 'api' }]);
  });

  it('writes the whole result with --format csv', async () => {
    expect(await run('1', '--format', 'csv')).toEqual({ code: 0, signal: null, output: CSV_TEXT });
  });

  it('writes an empty array for a result without rows', async () => {
    expect((await run('2', '--format', 'json')).output).toBe('[]\n');
  });

  it('gives parameters their values, and CSV without --format', async () => {
    expect((await run('3', '--param', 'word=a=b')).output).toBe('word,n\na=b,0\na=b,1\na=b,2\n');
  });

  it('says why it failed, and ends with exit code 1', async () => {
    expect(await run('4', '--format', 'json')).toEqual({
      code: 1,
      signal: null,
      output: expect.stringMatching(/no luck\n$/),
    });
  });

  it('starts a service for itself where none runs', async () => {
    await server.stop('SIGTERM');
    await writeFile(join(folder, 'six.sql'), 'SELECT 6 AS n');
    const added = await Program.run(['query', 'add', join(folder, 'six.sql'), '--name', 'six'], settings).exited;
    expect(added).toMatchObject({ code: 0, output: expect.stringContaining('5') });
    expect((await run('5', '--format', 'json')).output).toBe('[\n{"n":6}\n]\n');
  });
});
