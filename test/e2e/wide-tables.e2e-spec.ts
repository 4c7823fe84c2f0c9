import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TableMerger } from '../../src/uploads/table-merger.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { rowsOf } from '../support/rows-of.js';
import { TestServer } from '../support/server.js';

const COUNT = 2_000;
const NAMES = Array.from({ length: COUNT }, (_, index) => `column_${index}`);

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start({ UPLOADER_MEMORY: '512MB', WORKER_MEMORY: '1GB', READER_MEMORY: '1GB' });
});

afterAll(() => stopWithoutLeaks(server));

/** A row of text, of which the engine keeps more in memory than of any other type. */
function row(text: string): Record<string, string> {
  return Object.fromEntries(NAMES.map((name) => [name, `${text} of ${name}`]));
}

function toCsv(rows: readonly object[]): string {
  return [NAMES, ...rows.map((one) => Object.values(one))].map((values) => `${values.join(',')}\n`).join('');
}

function insert(table: string, contentType: string, body: string) {
  return server.send('POST', `/table/demo/${table}/insert`, { headers: { 'content-type': contentType }, body });
}

describe('A table of 2,000 columns', () => {
  it('is made of CSV, and read whole', async () => {
    const answer = await server.post('/table/upload/csv', { table_name: 'uploaded', data: toCsv([row('first')]) });
    expect(answer).toMatchObject({ status: 200, body: { rows_written: 1 } });
    expect(await rowsOf(server, 'SELECT * FROM uploaded')).toEqual([row('first')]);
  });

  it('takes rows of CSV and of NDJSON, which are merged and read whole', async () => {
    const schema = NAMES.map((name) => ({ name, type: 'varchar' }));
    expect((await server.post('/table/create', { table_name: 'created', schema })).status).toBe(200);
    const rows = Array.from({ length: 16 }, (_, index) => row(`number ${index}`));
    for (const [index, one] of rows.entries()) {
      const answer =
        index % 2 === 0
          ? await insert('created', 'text/csv', toCsv([one]))
          : await insert('created', 'application/x-ndjson', JSON.stringify(one));
      expect(answer).toMatchObject({ status: 200, body: { rows_written: 1 } });
    }
    await server.app.get(TableMerger).whenIdle();
    expect(await rowsOf(server, 'SELECT * FROM created')).toEqual(rows);
  });

  it('cannot have one column more', async () => {
    const columns = NAMES.concat('one_more').join(',');
    expect(await server.post('/table/upload/csv', { table_name: 'wider', data: `${columns}\n` })).toMatchObject({
      status: 400,
      body: { error: 'line 1: 2001 columns, and a table has at most 2000', line: 1, position: 2001 },
    });
  });
});
