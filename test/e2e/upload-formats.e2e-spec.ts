import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api-client.js';
import { rowsOf } from '../support/rows-of.js';
import { SharedServer } from '../support/shared-server.js';

let server: SharedServer;

beforeAll(async () => {
  server = await SharedServer.use();
});

afterAll(() => server.leave());

type Query = Record<string, string | string[]>;
type Body = string | Uint8Array<ArrayBuffer>;

const NDJSON = 'application/x-ndjson';

/** Uploads a CSV as the body itself. */
function upload(table_name: string, body: Body, query: Query = {}, headers: Record<string, string> = {}) {
  return server.send('POST', '/table/upload/csv', {
    query: { table_name, ...query },
    headers: { 'content-type': 'text/csv', ...headers },
    body,
  });
}

function uploadForm(fields: Record<string, string | Blob>, query: Query = {}): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return server.send('POST', '/table/upload/csv', { query, body: form });
}

function insert(table: string, body: Body, query: Query = {}, headers: Record<string, string> = {}) {
  return server.send('POST', `/table/demo/${table}/insert`, {
    query,
    headers: { 'content-type': 'text/csv', ...headers },
    body,
  });
}

const PACKED = { 'content-encoding': 'gzip' };
const packed = (text: string) => new Uint8Array(gzipSync(text));

describe('delimiters of uploads and inserts', () => {
  it.each([
    ['semicolon', ';'],
    ['tab', '\t'],
    ['pipe', '|'],
  ])('are found: %s', async (name, delimiter) => {
    const text = `city,${delimiter}price\nParis${delimiter}5,5\n`.replace('city,', 'city');
    expect((await upload(`found_${name}`, text)).body).toMatchObject({ rows_written: 1 });
    expect((await insert(`found_${name}`, text)).body).toMatchObject({ rows_written: 1 });
    const row = { city: 'Paris', price: '5,5' };
    expect(await rowsOf(server, `SELECT * FROM found_${name}`)).toEqual([row, row]);
  });

  it.each(['^', 'semicolon', '\t', 'tab', '\\t', 'TAB', ' ', '#', '&', ','])(
    'are taken as given: %j',
    async (delimiter) => {
      const character = { semicolon: ';', tab: '\t', TAB: '\t', '\\t': '\t' }[delimiter] ?? delimiter;
      const data = `a|x${character}b;y\n1${character}2\n`.replaceAll(character === ';' ? ';y' : '\0', '');
      const names = character === ';' ? ['a|x', 'b'] : ['a|x', 'b;y'];
      const answers = [
        await upload('given', data, { delimiter }),
        await server.post('/table/upload/csv', { table_name: 'given', data, delimiter }),
        await uploadForm({ table_name: 'given', data, delimiter }),
        await uploadForm({ table_name: 'given', data }, { delimiter }),
        await server.send('POST', '/uploads/csv', {
          query: { delimiter },
          body: JSON.stringify({ table_name: 'given', data }),
        }),
      ];
      for (const { status, body } of answers)
        expect([status, body.columns.map(({ name }: { name: string }) => name)]).toEqual([200, names]);
      expect((await insert('given', data, { delimiter })).body).toMatchObject({ rows_written: 1 });
    },
  );

  it.each(['', 'ab', 'a', '7', '"', '\n', 'é'])('are refused: %j', async (delimiter) => {
    await upload('plain', 'a,b\n1,2\n');
    const error = expect.stringContaining('delimiter: must be one ASCII character');
    expect(await upload('plain', 'a,b\n1,2\n', { delimiter })).toMatchObject({ status: 400, body: { error } });
    expect(await insert('plain', 'a,b\n1,2\n', { delimiter })).toMatchObject({ status: 400, body: { error } });
  });

  it('are only for CSV, and stand there once', async () => {
    await upload('once', 'a,b\n1,2\n');
    expect(await insert('once', '{}\n', { delimiter: ';' }, { 'content-type': NDJSON })).toMatchObject({
      status: 400,
      body: { error: 'delimiter: is only for text/csv' },
    });
    expect((await upload('once', 'a,b\n1,2\n', { delimiter: [';', ','] })).status).toBe(400);
  });
});

describe('names of columns of uploads and inserts', () => {
  const data = '2020,Price,price,\n1,2,3,4\n';

  it('are refused with the suggestion to normalize them', async () => {
    const error =
      "line 1: column 1, '2020': a column name begins with a letter, not with a digit or a special character";
    expect((await upload('advised', data)).body).toMatchObject({
      error: `${error} (column_names=normalize replaces such names)`,
      code: 'invalid_column_name',
      line: 1,
      column: '2020',
      position: 1,
    });
  });

  it('are replaced on request, and the reply lists them', async () => {
    const renamed_columns = [
      { from: '2020', to: 'c_2020', column: 1 },
      { from: 'price', to: 'price_2', column: 3 },
      { from: '', to: 'column_4', column: 4 },
    ];
    const column_names = 'normalize';
    expect((await upload('renamed', data, { column_names })).body).toMatchObject({ rows_written: 1, renamed_columns });
    expect((await server.post('/table/upload/csv', { table_name: 'renamed', data, column_names })).body).toMatchObject({
      renamed_columns,
    });
    expect((await uploadForm({ table_name: 'renamed', data, column_names })).body).toMatchObject({ renamed_columns });
    expect((await insert('renamed', data, { column_names })).body).toMatchObject({ rows_written: 1, renamed_columns });
    const row = { c_2020: 1, Price: 2, price_2: 3, column_4: 4 };
    expect(await rowsOf(server, 'SELECT * FROM renamed')).toEqual([row, row]);
  });

  it('are listed only if some were replaced', async () => {
    const { body } = await upload('unchanged', 'a\n1\n', { column_names: 'normalize' });
    expect(body).not.toHaveProperty('renamed_columns');
    expect((await insert('unchanged', 'a\n1\n', { column_names: 'keep' })).body).not.toHaveProperty('renamed_columns');
  });

  it('can be kept or normalized, nothing else', async () => {
    expect(await upload('unknown', 'a\n1\n', { column_names: 'snake' })).toMatchObject({
      status: 400,
      body: { error: 'column_names: must be one of keep, normalize' },
    });
  });
});

describe('bodies with Content-Encoding: gzip', () => {
  it('are unpacked: CSV, JSON and forms of uploads', async () => {
    const data = 'n\n1\n2\n';
    const json = packed(JSON.stringify({ table_name: 'packed', data }));
    const form =
      '--x\r\nContent-Disposition: form-data; name="table_name"\r\n\r\npacked\r\n--x\r\nContent-Disposition: form-data; name="data"\r\n\r\nn\n1\n2\n\r\n--x--\r\n';
    const answers = [
      await upload('packed', packed(data), {}, PACKED),
      await upload('packed', packed(data), {}, { 'content-encoding': 'X-GZIP' }),
      await server.send('POST', '/table/upload/csv', { headers: PACKED, body: json }),
      await server.send('POST', '/table/upload/csv', {
        headers: { ...PACKED, 'content-type': 'multipart/form-data; boundary=x' },
        body: packed(form),
      }),
    ];
    for (const { status, body } of answers) expect([status, body.rows_written]).toEqual([200, 2]);
  });

  it('are unpacked: CSV and NDJSON of inserts, of several members, too', async () => {
    await upload('packed_rows', 'n\n0\n');
    const members = new Uint8Array(Buffer.concat([gzipSync('n\n1\n'), gzipSync('2\n')]));
    expect((await insert('packed_rows', members, {}, PACKED)).body).toMatchObject({ rows_written: 2 });
    const lines = Array.from({ length: 20_000 }, (_, n) => `{"n":${n}}\n`).join('');
    expect((await insert('packed_rows', packed(lines), {}, { ...PACKED, 'content-type': NDJSON })).body).toMatchObject({
      rows_written: 20_000,
    });
    expect(await rowsOf(server, 'SELECT count(*) AS n FROM packed_rows')).toEqual([{ n: 20_003 }]);
  });

  it.each<[string, Body, string]>([
    ['ends early', packed('n\n2\n').subarray(0, -5), 'The body is gzip data that ends early: send all of it'],
    ['is damaged', packed('n\n2\n').with(-6, 0), 'The body is damaged gzip data: compress it again'],
    [
      'is none',
      'n\n2\n',
      'The body is not gzip data, as its Content-Encoding states: compress it, or leave the header out',
    ],
    [
      'is packed twice',
      new Uint8Array(gzipSync(gzipSync('n\n2\n'))),
      'The decompressed body is gzip data: compress it only once',
    ],
  ])('are refused where gzip data %s, and change nothing', async (_, body, error) => {
    await upload('intact', 'n\n1\n');
    expect(await upload('intact', body, {}, PACKED)).toMatchObject({ status: 400, body: { error } });
    for (const type of ['text/csv', NDJSON])
      expect(await insert('intact', body, {}, { ...PACKED, 'content-type': type })).toMatchObject({
        status: 400,
        body: { error },
      });
    expect(await rowsOf(server, 'SELECT * FROM intact')).toEqual([{ n: 1 }]);
  });

  it('are refused when they unpack to more than 200 MB, however small they are', async () => {
    await upload('bombed', 'n\n1\n');
    const bomb = gzipSync(Buffer.alloc(2_000_000, '1\n'));
    const bombs = new Uint8Array(Buffer.concat([gzipSync('n\n'), ...Array.from({ length: 101 }, () => bomb)]));
    expect(bombs.length).toBeLessThan(1_000_000);
    const error = 'The request body may be at most 200 MB, decompressed';
    expect(await upload('bombed', bombs, {}, PACKED)).toMatchObject({
      status: 413,
      body: { error, code: 'body_too_large' },
    });
    expect(await rowsOf(server, 'SELECT * FROM bombed')).toEqual([{ n: 1 }]);
  });

  it.each(['br', 'deflate', 'zstd', 'gzip, gzip'])('may be in no other encoding: %s', async (encoding) => {
    expect(await upload('t', 'n\n1\n', {}, { 'content-encoding': encoding })).toMatchObject({
      status: 415,
      body: {
        error: 'The only Content-Encoding that this call supports is gzip',
        code: 'encoded_body',
      },
    });
  });

  it('are not for calls that carry no data', async () => {
    const answer = await server.send('POST', '/table/create', { headers: PACKED, body: packed('{}') });
    expect(answer).toMatchObject({ status: 415, body: { code: 'encoded_body' } });
  });
});

describe('bodies that are no text in UTF-8', () => {
  const utf16 = new Uint8Array(Buffer.from('\ufeffn\n1\n', 'utf16le'));
  const parquet = new Uint8Array(Buffer.from('PAR1\x15\x04\x15\x20', 'latin1'));
  const xlsx = new Uint8Array(Buffer.from('PK\x03\x04\x14\0\0\0', 'latin1'));
  const PARQUET = 'a Parquet file: convert it to CSV';
  const XLSX = 'a zip archive, as Excel files (.xlsx) are: save the sheet as CSV in UTF-8, or unpack the archive';
  const UTF_16 = 'text in UTF-16: save it in UTF-8';

  it.each<[string, Uint8Array<ArrayBuffer>, string]>([
    ['gzip data', packed('n\n1\n'), 'gzip data: send it with Content-Encoding: gzip'],
    ['a Parquet file', parquet, PARQUET],
    ['an Excel file', xlsx, XLSX],
    ['UTF-16', utf16, UTF_16],
  ])('are refused for what they are: %s', async (_, body, what) => {
    await upload('text_only', 'n\n1\n');
    const refused = { status: 400, body: { error: `The body is ${what}`, code: 'foreign_format' } };
    expect(await upload('text_only', body)).toMatchObject(refused);
    expect(await insert('text_only', body)).toMatchObject(refused);
    expect(await insert('text_only', body, {}, { 'content-type': NDJSON })).toMatchObject(refused);
    expect(await rowsOf(server, 'SELECT * FROM text_only')).toEqual([{ n: 1 }]);
  });

  it('are refused also where JSON is expected', async () => {
    const answer = await server.send('POST', '/table/upload/csv', { body: packed('n\n1\n') });
    expect(answer.body.error).toBe(
      'The body is gzip data: send it with Content-Encoding: gzip, and with Content-Type: text/csv if it is a CSV file',
    );
  });

  it.each<[string, Uint8Array<ArrayBuffer>, string]>([
    [
      'gzip data',
      packed('n\n1\n'),
      'gzip data: send it as the body, with Content-Type: text/csv and Content-Encoding: gzip',
    ],
    ['a Parquet file', parquet, PARQUET],
    ['an Excel file', xlsx, XLSX],
    ['UTF-16', utf16, UTF_16],
  ])('are refused in the field data, too: %s', async (_, data, what) => {
    const refused = { status: 400, body: { error: `data is ${what}`, code: 'foreign_format' } };
    expect(await uploadForm({ table_name: 't', data: new Blob([data]) })).toMatchObject(refused);
    const text = Buffer.from(data).toString('latin1');
    expect(await server.post('/table/upload/csv', { table_name: 't', data: text })).toMatchObject(refused);
  });

  it('are not those with a byte order mark of UTF-8', async () => {
    expect((await upload('marked', '\ufeffn\n1\n')).status).toBe(200);
  });
});

describe('NDJSON that is nested too deeply', () => {
  it('is refused with its line, and the next insert is served', async () => {
    await upload('deep', 'text\nx\n');
    const deep = `{"text":"x"}\n{"text":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}\n`;
    expect(await insert('deep', deep, {}, { 'content-type': NDJSON })).toMatchObject({
      status: 400,
      body: { error: 'line 2: a value is nested more than 64 levels deep', code: 'invalid_ndjson', line: 2 },
    });
    expect((await insert('deep', '{"text":"y"}\n', {}, { 'content-type': NDJSON })).status).toBe(200);
  });
});
