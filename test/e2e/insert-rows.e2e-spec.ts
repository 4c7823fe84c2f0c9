import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TableMerger } from '../../src/uploads/table-merger.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { sendRaw } from '../support/raw-request.js';
import { rowsOf } from '../support/rows-of.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
});

afterAll(() => stopWithoutLeaks(server));

const SCHEMA = [
  { name: 'city', type: 'varchar' },
  { name: 'price', type: 'double' },
];
const NDJSON = 'application/x-ndjson';

async function givenTable(table_name: string, schema: object[] = SCHEMA, key = server.key): Promise<void> {
  const { text, status } = await server.post('/table/create', { table_name, schema }, key);
  if (status !== 200) throw new Error(text);
}

function insert(table: string, body: string, contentType = 'text/csv', { family = 'table', key = server.key } = {}) {
  return server.send('POST', `/${family}/demo/${table}/insert`, {
    headers: { 'content-type': contentType },
    body,
    key,
  });
}

describe.each(['table', 'uploads'])('POST /v1/%s/{namespace}/{table}/insert', (family) => {
  const table = `into_${family}`;

  it('adds the rows of CSV and of NDJSON behind those that are there', async () => {
    await givenTable(table);
    expect(await insert(table, 'city,price\nParis,5.5\n', 'text/csv', { family })).toMatchObject({
      status: 200,
      body: { rows_written: 1, bytes_written: expect.any(Number), name: `demo.${table}` },
    });
    await insert(table, '{"price": 4, "city": "Rome"}\n{"city": "Oslo"}\n', NDJSON, { family });
    expect(await rowsOf(server, `SELECT * FROM ${table}`)).toEqual([
      { city: 'Paris', price: 5.5 },
      { city: 'Rome', price: 4 },
      { city: 'Oslo', price: null },
    ]);
  });

  it.each([
    ['application/octet-stream', {}, 'csv'],
    ['application/octet-stream', { format: 'csv' }, 'csv'],
    ['application/octet-stream', { format: 'ndjson' }, 'ndjson'],
    ['application/x-www-form-urlencoded', { format: 'csv' }, 'csv'],
    ['', { format: 'ndjson' }, 'ndjson'],
    ['text/csv', { format: 'csv' }, 'csv'],
  ])('takes %s with %j for %s', async (contentType, query, format) => {
    const name = `${table}_${format}_${contentType.replaceAll(/\W/g, '')}_${Object.keys(query).length}`;
    await givenTable(name);
    const [headers, body] = [{ 'content-type': contentType }, format === 'csv' ? 'city\nRome\n' : '{"city":"Rome"}\n'];
    const answer = await server.send('POST', `/${family}/demo/${name}/insert`, { query, headers, body });
    expect(answer).toMatchObject({ status: 200, body: { rows_written: 1 } });
  });

  it.each([
    ['a format that the Content-Type contradicts', 'ndjson', 'format: must be csv, as the Content-Type is text/csv'],
    ['an unknown format', 'tsv', 'format: must be one of csv, ndjson'],
  ])('refuses %s', async (_, format, error) => {
    const headers = { 'content-type': 'text/csv' };
    const answer = await server.send('POST', `/${family}/demo/${table}/insert`, {
      query: { format },
      headers,
      body: 'x',
    });
    expect(answer).toMatchObject({ status: 400, body: { error, code: 'invalid_request' } });
  });

  it('keeps bytes so that queries find them, printable or not', async () => {
    const name = `bytes_${family}`;
    await givenTable(name, [{ name: 'bytes', type: 'varbinary' }]);
    await insert(name, 'bytes\n0xaa\n0x61\n', 'text/csv', { family });
    await insert(name, '{"bytes":"0x0100"}\n', NDJSON, { family });
    const find = (bytes: string) => rowsOf(server, `SELECT bytes FROM ${name} WHERE bytes = '${bytes}'::BLOB`);
    expect(await find('\\xAA')).toEqual([{ bytes: '0xaa' }]);
    expect(await find('\\x01\\x00')).toEqual([{ bytes: '0x0100' }]);
  });

  it('inserts all rows or none', async () => {
    await givenTable(`${table}_whole`);
    const answer = await insert(`${table}_whole`, 'city,price\nParis,5.5\nRome,cheap\n', 'text/csv', { family });
    expect(answer.status).toBe(400);
    for (const named of ['price', 'cheap']) expect(answer.body.error).toContain(named);
    expect(await rowsOf(server, `SELECT count(*) AS n FROM ${table}_whole`)).toEqual([{ n: 0 }]);
  });

  it.each([
    [
      'a value that does not fit',
      'text/csv',
      'city,price\nParis,5\nRome,cheap\n',
      'invalid_row',
      { line: 3, row: 2, column: 'price' },
    ],
    [
      'a value that does not fit',
      NDJSON,
      '{"city":"Rome","price":"cheap"}\n',
      'invalid_row',
      { line: 1, row: 1, column: 'price' },
    ],
    ['a column that the table lacks', 'text/csv', 'town\nParis\n', 'invalid_row', { line: 1, column: 'town' }],
    [
      'a row with too few values',
      'text/csv',
      'city,price\nParis\n',
      'invalid_csv',
      { line: 2, position: 2, column: 'price' },
    ],
    [
      'a quote that is never closed',
      'text/csv',
      'city,price\nParis,"5\n',
      'invalid_csv',
      { line: 2, position: 2, column: 'price' },
    ],
    ['a line that is no JSON', NDJSON, '{"city":"Rome"}\n{"city"}\n', 'invalid_ndjson', { line: 2 }],
  ])('refuses %s of %s with its place', async (_what, contentType, body, code, place) => {
    expect(await insert(table, body, contentType, { family })).toMatchObject({ status: 400, body: { code, ...place } });
  });

  it.each([
    ['nothing', ''],
    ['no header', 'CSV'],
  ])('needs to be told what the rows are, not %s', async (_what, contentType) => {
    const name = `${table}_format_${contentType.toLowerCase() || 'none'}`;
    await givenTable(name);
    expect(await insert(name, 'city\nParis\n', contentType, { family })).toMatchObject({
      status: 400,
      body: {
        error:
          'The Content-Type must name the format of the rows: text/csv or application/x-ndjson, else format=csv or format=ndjson',
        code: 'insert_format',
      },
    });
  });

  it('answers for a table of another account as for one that does not exist', async () => {
    await givenTable(`${table}_mine`);
    const key = await server.givenKey(`other_${family}`);
    const notFound = { error: 'Table not found', code: 'table_not_found' };
    for (const name of [`${table}_mine`, 'nothing']) {
      const answer = await insert(name, 'city\nParis\n', 'text/csv', { family, key });
      expect([answer.status, answer.body]).toEqual([404, notFound]);
    }
    expect((await insert('nothing', 'city\nParis\n', 'text/csv', { family })).status).toBe(404);
  });

  it('refuses rows that the plan has no room for', async () => {
    const key = await server.givenKey(`small_${family}`, { plan: 'free' });
    await givenTable('crammed', [{ name: 'text', type: 'varchar' }], key);
    const rows = Array.from({ length: 40_000 }, (_, n) => `${Math.sin(n)}${Math.cos(n)}`).join('\n');
    const headers = { 'content-type': 'text/csv' };
    const path = `/${family}/small_${family}/crammed/insert`;
    const answer = await server.send('POST', path, { headers, body: `text\n${rows}\n`, key });
    expect(answer).toMatchObject({ status: 402, body: { code: 'storage_full' } });
    expect(await rowsOf(server, 'SELECT count(*) AS n FROM crammed', key)).toEqual([{ n: 0 }]);
  });

  it('refuses a body over 1.2 GB as soon as it tells its size', async () => {
    await givenTable(`${table}_too_large`);
    const { status, text } = await sendRaw(server.url, [
      `POST /api/v1/${family}/demo/${table}_too_large/insert HTTP/1.1`,
      `X-Service-Api-Key: ${server.key}`,
      'Content-Type: text/csv',
      'Content-Length: 1200000001',
    ]);
    expect([status, JSON.parse(text)]).toEqual([
      413,
      { error: 'The request body may be at most 1.2 GB', code: 'body_too_large' },
    ]);
  });

  it('needs a key that may change tables', async () => {
    const key = await server.givenKey('demo', { scope: 'read' });
    expect((await insert(table, 'city\nOslo\n', 'text/csv', { family, key })).status).toBe(403);
  });
});

/** Opens a connection on which an insert has begun, but for its body. */
function beginInsert(table: string, contentType: string, sizeBytes: number): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  writeHead(
    socket,
    `POST /api/v1/table/demo/${table}/insert`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${sizeBytes}`,
  );
  return socket;
}

function writeHead(socket: Socket, request: string, ...headers: readonly string[]): void {
  const { host } = new URL(server.url);
  const head = [`${request} HTTP/1.1`, `Host: ${host}`, `X-Service-Api-Key: ${server.key}`, ...headers];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
}

describe('POST /v1/table/{namespace}/{table}/insert', () => {
  it('writes nothing when there are no rows', async () => {
    await givenTable('no_rows');
    expect((await insert('no_rows', 'city,price\n')).body).toEqual({
      rows_written: 0,
      bytes_written: 0,
      name: 'demo.no_rows',
    });
  });

  it('keeps integers of 256 bits exact, and compares them as numbers', async () => {
    await givenTable('wide', [{ name: 'amount', type: 'uint256' }]);
    const largest = String(2n ** 256n - 1n);
    await insert('wide', `amount\n9\n10\n${largest}\n`);
    expect(await rowsOf(server, 'SELECT amount FROM wide WHERE amount > 9 ORDER BY amount')).toEqual([
      { amount: '10' },
      { amount: largest },
    ]);
    expect((await insert('wide', `amount\n${2n ** 256n}\n`)).status).toBe(400);
    expect((await insert('wide', 'amount\n-1\n')).status).toBe(400);
  });

  it('lands both of two inserts at once', async () => {
    await givenTable('twice');
    const [one, two] = await Promise.all([insert('twice', 'city\nParis\n'), insert('twice', 'city\nRome\n')]);
    expect([one?.status, two?.status]).toEqual([200, 200]);
    expect(await rowsOf(server, 'SELECT city FROM twice ORDER BY city')).toEqual([{ city: 'Paris' }, { city: 'Rome' }]);
  });

  it('lands before an overwrite, after it, or not at all', async () => {
    const outcomes: object[] = [];
    for (let round = 0; round < 10; round += 1) {
      await server.post('/table/upload/csv', { table_name: 'raced', data: 'city\nParis\n' });
      const overwrite = () => server.post('/table/upload/csv', { table_name: 'raced', data: 'city\nRome\n' });
      const add = () => insert('raced', 'city\nOslo\n');
      const isFirst = round % 2 === 0;
      const answers = await Promise.all(isFirst ? [add(), overwrite()] : [overwrite(), add()]);
      const [inserted, overwritten] = isFirst ? answers : answers.toReversed();
      expect(overwritten?.status).toBe(200);
      outcomes.push({
        status: inserted?.status,
        code: inserted?.body.code,
        rows: await rowsOf(server, 'SELECT * FROM raced'),
      });
    }
    const rome = { city: 'Rome' };
    for (const outcome of outcomes) {
      expect([
        { status: 200, rows: [rome] },
        { status: 200, rows: [rome, { city: 'Oslo' }] },
        { status: 409, code: 'table_replaced', rows: [rome] },
      ]).toContainEqual(outcome);
    }
  });

  it('merges many small inserts in the background, in their order', async () => {
    await givenTable('many', [{ name: 'n', type: 'integer' }]);
    for (let n = 0; n < 40; n += 1) await insert('many', `n\n${n}\n`);
    await server.app.get(TableMerger).whenIdle();
    const rows = await rowsOf(server, 'SELECT n FROM many');
    expect(rows).toEqual(Array.from({ length: 40 }, (_, n) => ({ n })));
    const { body } = await server.get('/tables', { limit: 1000 });
    const { table_size_bytes } = body.tables.find((table: { full_name: string }) => table.full_name === 'demo.many');
    const { bytes_written } = (await insert('many', 'n\n40\n')).body;
    expect(Number(table_size_bytes)).toBeLessThan(20 * bytes_written);
  });

  describe('of a text that is read in several pieces', () => {
    const cell = 'x'.repeat(100_000);
    /** 70 MB: a little more than one segment. */
    const rows = 700;
    const line = (n: number | string) => `{"city":"${cell}","price":${n}}\n`;

    it('adds all rows in their order', async () => {
      await givenTable('pieces');
      const body = Array.from({ length: rows }, (_, n) => line(n)).join('');
      expect(await insert('pieces', body, NDJSON)).toMatchObject({ status: 200, body: { rows_written: rows } });
      const prices = await rowsOf(server, `SELECT price FROM pieces WHERE city = repeat('x', 100000)`);
      expect(prices).toEqual(Array.from({ length: rows }, (_, price) => ({ price })));
    });

    it('adds none if one of them is wrong, and says so to a client that still sends', async () => {
      await givenTable('wrong_pieces');
      const body = line('true') + line(1).repeat(rows + 300);
      expect(await insert('wrong_pieces', body, NDJSON)).toMatchObject({
        status: 400,
        body: { code: 'invalid_row', line: 1, row: 1, column: 'price' },
      });
      expect(await rowsOf(server, 'SELECT count(*) AS n FROM wrong_pieces')).toEqual([{ n: 0 }]);
      const staged = await readdir(join(server.dataDir, 'staging'));
      expect(staged.filter((name) => !name.startsWith('child-'))).toEqual([]);
    });

    it('says so to a client that pauses, and takes the rest and the next request of the connection', async () => {
      await givenTable('paused');
      const first = Buffer.from(line('true') + line(1).repeat(rows));
      const rest = Buffer.from(line(1).repeat(100));
      const socket = beginInsert('paused', NDJSON, first.length + rest.length);
      let received = '';
      socket.setEncoding('utf8').on('data', (text: string) => {
        received += text;
      });
      socket.write(first);
      await until(() => received.includes('"code":"invalid_row"'));
      expect(received).toMatch(/^HTTP\/1\.1 400 /);
      socket.write(rest);
      writeHead(socket, 'GET /api/v1/tables');
      await until(() => received.includes('HTTP/1.1 200 '));
      socket.destroy();
    });
  });

  it('leaves nothing behind of a body that ends early', async () => {
    await givenTable('cut_off');
    const socket = beginInsert('cut_off', 'text/csv', 1_000);
    const staging = join(server.dataDir, 'staging');
    const uploads = async () => (await readdir(staging)).filter((name) => name.endsWith('.upload'));
    socket.write('city,price\nParis,5\n');
    await until(async () => (await uploads()).length > 0);
    socket.destroy();
    await until(async () => (await uploads()).length === 0);
    expect(await rowsOf(server, 'SELECT count(*) AS n FROM cut_off')).toEqual([{ n: 0 }]);
  });
});
