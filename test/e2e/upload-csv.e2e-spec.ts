import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendRaw } from '../support/raw-request.js';
import { rowsOf } from '../support/rows-of.js';
import { SharedServer } from '../support/shared-server.js';

let server: SharedServer;

beforeAll(async () => {
  server = await SharedServer.use();
});

afterAll(() => server.leave());

/** Text that stays large as Parquet. */
function incompressible(bytes: number): string {
  let state = 1;
  const lines = ['text'];
  for (let written = 0; written < bytes; written += 81) {
    let line = '';
    for (let index = 0; index < 16; index += 1) {
      state = (state * 48_271) % 2_147_483_647;
      line += (state % 60_466_176).toString(36).padStart(5, '0');
    }
    lines.push(line);
  }
  return `${lines.join('\n')}\n`;
}

describe.each(['/table/upload/csv', '/uploads/csv'])('POST /v1%s', (path) => {
  const upload = (body: object, key = server.key) => server.post(path, body, key);

  it('makes a table of CSV text and tells how to query it', async () => {
    expect(await upload({ table_name: 'prices', data: 'city,price\nParis,5.5\nRome,4\n' })).toMatchObject({
      status: 200,
      body: {
        success: true,
        table_name: 'prices',
        full_name: 'demo.prices',
        example_query: 'select * from demo.prices limit 10',
        rows_written: 2,
        columns: [
          { name: 'city', type: 'varchar', nullable: true },
          { name: 'price', type: 'double', nullable: true },
        ],
      },
    });
    expect(await rowsOf(server, 'select * from demo.prices limit 10')).toEqual([
      { city: 'Paris', price: 5.5 },
      { city: 'Rome', price: 4 },
    ]);
  });

  it.each(['order', 'select', 'left'])('quotes the handle %s, a word of SQL, in the query to try', async (handle) => {
    const key = await server.givenKey(handle);
    const { body } = await upload({ table_name: 't', data: 'n\n1\n' }, key);
    expect(body).toMatchObject({ full_name: `${handle}.t`, example_query: `select * from "${handle}".t limit 10` });
    expect(await rowsOf(server, body.example_query, key)).toEqual([{ n: 1 }]);
  });

  it('finds the table by its bare name, in any case', async () => {
    await upload({ table_name: 'bare', data: 'n\n1\n' });
    expect(await rowsOf(server, 'SELECT n FROM BARE')).toEqual([{ n: 1 }]);
  });

  it('overwrites the table of that name: its rows, its columns and what describes it', async () => {
    await upload({ table_name: 'replaced', data: 'a\n1\n', is_private: true });
    await upload({ table_name: 'replaced', data: 'b,c\nx,y\n' });
    expect(await rowsOf(server, 'SELECT * FROM replaced')).toEqual([{ b: 'x', c: 'y' }]);
    const { body } = await server.get('/tables', { limit: 1000 });
    const names = body.tables.filter((table: { full_name: string }) => table.full_name === 'demo.replaced');
    expect(names).toEqual([expect.objectContaining({ is_private: false })]);
  });

  it('leaves the old table as it is when the new data is refused', async () => {
    await upload({ table_name: 'kept', data: 'a\n1\n' });
    expect((await upload({ table_name: 'kept', data: 'a,b\n1\n' })).status).toBe(400);
    expect(await rowsOf(server, 'SELECT * FROM kept')).toEqual([{ a: 1 }]);
  });

  it('makes a table without rows of a header alone', async () => {
    expect((await upload({ table_name: 'header_only', data: 'a,b\n' })).body).toMatchObject({ rows_written: 0 });
    expect(await rowsOf(server, 'SELECT count(*) AS n FROM header_only')).toEqual([{ n: 0 }]);
  });

  it('takes the fields in any order, whatever the Content-Type', async () => {
    const body = '{"is_private": false, "data": "n\\n1\\n", "description": "d", "table_name": "any_order"}';
    const answer = await server.send('POST', path, { body, headers: { 'content-type': 'text/plain' } });
    expect([answer.status, answer.body.rows_written]).toEqual([200, 1]);
  });

  it('takes CSV as the body, and the other fields from the query string', async () => {
    const answer = await server.send('POST', path, {
      query: { table_name: 'raw_csv', is_private: 'true' },
      headers: { 'content-type': 'text/csv' },
      body: 'n\n1\n2\n',
    });
    expect([answer.status, answer.body.rows_written]).toEqual([200, 2]);
  });

  it('takes a form', async () => {
    const form = new FormData();
    form.set('table_name', 'from_form');
    form.set('is_private', 'False');
    form.set('data', new Blob(['n\n1\n']), 'n.csv');
    const answer = await server.send('POST', path, { body: form });
    expect([answer.status, answer.body.full_name]).toEqual([200, 'demo.from_form']);
  });

  it.each<[object, string]>([
    [{ data: 'a\n1\n' }, 'table_name: must be text'],
    [{ table_name: '', data: 'a\n1\n' }, 'table_name: must not be empty'],
    [{ table_name: 5, data: 'a\n1\n' }, 'table_name: must be text'],
    [{ table_name: 't' }, 'data: must be text'],
    [{ table_name: 't', data: 5 }, 'data: must be text'],
    [{ table_name: 't', data: 'a\n1\n', description: 5 }, 'description: must be text'],
    [{ table_name: 't', data: 'a\n1\n', is_private: 'yes' }, 'is_private: must be true or false'],
    [{ table_name: 'Prices', data: 'a\n1\n' }, 'table_name: a table name is a lower-case letter'],
    [{ table_name: '1st', data: 'a\n1\n' }, 'table_name: a table name is a lower-case letter'],
    [{ table_name: 'a-b', data: 'a\n1\n' }, 'table_name: a table name is a lower-case letter'],
    [{ table_name: 'a'.repeat(64), data: 'a\n1\n' }, 'at most 63 characters'],
    [{ table_name: 'duckdb_tables', data: 'a\n1\n' }, 'is kept for tables of the engine'],
  ])('refuses %j', async (body, sentence) => {
    expect(await upload(body)).toMatchObject({ status: 400, body: { error: expect.stringContaining(sentence) } });
  });

  it.each([
    ['a column name that begins with a digit', '1a\n1\n', '1a'],
    ['a column name that begins with a special character', '$a\n1\n', '$a'],
    ['a column name that comes twice', 'a,A\n1,2\n', 'A'],
    ['a row with too many values', 'a,b\n1,2\n1,2,3\n', 'line 3: 3 values, but the header has 2 columns: value 3'],
    ['a row with too few values', 'a,b\n1,2\n1\n', "line 3: 1 value, but the header has 2 columns: column 2, 'b'"],
    ['a quote that is never closed', 'a\n1\n"x\n', "line 3: column 1, 'a'"],
  ])('refuses %s, and says where', async (_what, data, place) => {
    expect(await upload({ table_name: 't', data })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(place) },
    });
  });

  it.each<[what: string, spoil: (form: FormData) => void]>([
    ['data twice', (form) => form.append('data', new Blob(['n\n2\n']), 'm.csv')],
    ['a field twice behind the data', (form) => form.append('table_name', 'other')],
    ['too many fields', (form) => Array.from({ length: 17 }, (_, index) => form.set(`field_${index}`, 'x'))],
    ['a field that is too long', (form) => form.set('description', 'x'.repeat(70_000))],
  ])('refuses a form with %s', async (_what, spoil) => {
    const form = new FormData();
    form.set('table_name', 'from_form');
    form.set('data', new Blob(['n\n1\n']), 'n.csv');
    spoil(form);
    const answer = await server.send('POST', path, { body: form });
    expect(answer).toMatchObject({ status: 400, body: { error: 'Invalid request body payload' } });
  });

  it('refuses a form that ends early', async () => {
    const answer = await server.send('POST', path, {
      headers: { 'content-type': 'multipart/form-data; boundary=frontier' },
      body: '--frontier\r\nContent-Disposition: form-data; name="data"\r\n\r\nn\n1\n',
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'Invalid request body payload' } });
  });

  it('refuses a field that is nested too deeply', async () => {
    const nested = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const answer = await server.send('POST', path, { body: `{"table_name":"t","data":"a\\n1\\n","more":${nested}}` });
    expect(answer).toMatchObject({ status: 400, body: { error: 'Invalid request body payload' } });
  });

  it('refuses a body that is no JSON object', async () => {
    const answer = await server.send('POST', path, { body: '{"table_name": ' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'Invalid request body payload' } });
  });

  it('refuses a private table to an account without the plan for it', async () => {
    const key = await server.givenKey('saver', { plan: 'plus' });
    expect(await upload({ table_name: 't', data: 'a\n1\n', is_private: true }, key)).toMatchObject({
      status: 402,
      body: {
        error: 'The plan plus has no private tables, the plan premium has them: ask the operator to change the plan',
        code: 'private_table_plan',
      },
    });
    expect((await upload({ table_name: 't', data: 'a\n1\n' }, key)).status).toBe(200);
  });

  it('needs a key that may change tables', async () => {
    const key = await server.givenKey('demo', { scope: 'read' });
    expect(await upload({ table_name: 't', data: 'a\n1\n' }, key)).toMatchObject({
      status: 403,
      body: { error: 'This API key may not change tables' },
    });
    expect((await server.send('POST', path, { key: '', body: '{' })).status).toBe(401);
  });

  it('refuses more than the plan has room for, and says which plan has', async () => {
    const key = await server.givenKey(`small_${path.length}`, { plan: 'free' });
    expect(await upload({ table_name: 't', data: incompressible(2_000_000) }, key)).toMatchObject({
      status: 402,
      body: { error: expect.stringContaining('the plan plus allows 15 GB'), code: 'storage_full' },
    });
    expect((await server.get('/tables', {}, key)).body).toEqual({ tables: [] });
  });

  it('refuses a body that says it is over 200 MB, before it comes', async () => {
    const head = [`POST /api/v1${path} HTTP/1.1`, `X-Service-Api-Key: ${server.key}`, 'Content-Length: 200000001'];
    const { status, text } = await sendRaw(server.url, head);
    expect([status, JSON.parse(text)]).toEqual([
      413,
      { error: 'The request body may be at most 200 MB', code: 'body_too_large' },
    ]);
  });
});

describe('POST /v1/table/upload/csv', () => {
  it('refuses a body over 200 MB that did not say so', async () => {
    async function* body() {
      yield Buffer.from('{"table_name": "huge", "data": "a\\n');
      const rows = Buffer.alloc(1_000_000, '1\\n');
      for (let index = 0; index < 201; index += 1) yield rows;
    }
    const answer = await fetch(`${server.url}/api/v1/table/upload/csv`, {
      method: 'POST',
      headers: { 'x-service-api-key': server.key },
      body: ReadableStream.from(body()),
      duplex: 'half',
    });
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { error: 'The request body may be at most 200 MB', code: 'body_too_large' },
    ]);
  });

  it('lets uploads at once not pass the plan together', async () => {
    const key = await server.givenKey('crowd', { plan: 'free' });
    const data = incompressible(400_000);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        server.post('/table/upload/csv', { table_name: `t${index}`, data }, key),
      ),
    );
    const { tables } = (await server.get('/tables', {}, key)).body;
    const used = tables.reduce(
      (sum: number, table: { table_size_bytes: string }) => sum + Number(table.table_size_bytes),
      0,
    );
    expect(used).toBeLessThanOrEqual(1_000_000);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(tables.length);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(10 - tables.length);
    expect(tables.length).toBeGreaterThan(1);
  });

  it('lets runs during overwrites see one version or the other, whole', async () => {
    const versions = ['n\n1\n1\n', 'n\n2\n2\n2\n'];
    const upload = (index: number) =>
      server.post('/table/upload/csv', { table_name: 'contested', data: versions[index % 2] });
    await upload(0);
    let isOver = false;
    const overwriting = (async () => {
      for (let index = 1; !isOver; index += 1) expect((await upload(index)).status).toBe(200);
    })();
    const seen = new Map<unknown, object>();
    try {
      for (let run = 0; run < 6 || (seen.size < 2 && run < 50); run += 1) {
        const [row = {}] = await rowsOf(server, 'SELECT count(*) AS count, sum(n) AS sum FROM contested');
        seen.set(JSON.stringify(row), row);
      }
    } finally {
      isOver = true;
    }
    await overwriting;
    expect([...seen.values()]).toHaveLength(2);
    expect([...seen.values()]).toEqual(
      expect.arrayContaining([
        { count: 2, sum: 2 },
        { count: 3, sum: 6 },
      ]),
    );
  });
});
