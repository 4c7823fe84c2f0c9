import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { failureOf, rowsOf } from '../support/rows-of.js';
import { SharedServer } from '../support/shared-server.js';

let server: SharedServer;
let other: string;

beforeAll(async () => {
  server = await SharedServer.use();
  other = await server.givenKey('other');
});

afterAll(() => server.leave());

const givenTable = (table_name: string) => server.post('/table/upload/csv', { table_name, data: 'n\n1\n2\n' });
const NOT_FOUND = { error: 'Table not found', code: 'table_not_found' };

describe.each(['table', 'uploads'])('POST /v1/%s/{namespace}/{table}/clear', (family) => {
  it('takes all rows out and leaves the columns', async () => {
    await givenTable('cleared');
    const { status, body } = await server.post(`/${family}/demo/cleared/clear`);
    expect([status, body]).toEqual([200, { message: 'Table demo.cleared cleared' }]);
    expect(await rowsOf(server, 'SELECT count(n) AS n FROM cleared')).toEqual([{ n: 0 }]);
    const headers = { 'content-type': 'text/csv' };
    await server.send('POST', `/${family}/demo/cleared/insert`, { headers, body: 'n\n3\n' });
    expect(await rowsOf(server, 'SELECT n FROM cleared')).toEqual([{ n: 3 }]);
  });

  it('answers for a table of another account as for one that does not exist', async () => {
    await givenTable('cleared');
    for (const [name, key] of [
      ['cleared', other],
      ['nothing', server.key],
    ] as const) {
      const { status, body } = await server.post(`/${family}/demo/${name}/clear`, undefined, key);
      expect([status, body]).toEqual([404, NOT_FOUND]);
    }
    expect(await rowsOf(server, 'SELECT count(*) AS n FROM cleared')).toEqual([{ n: 2 }]);
  });
});

describe.each(['table', 'uploads'])('DELETE /v1/%s/{namespace}/{table}', (family) => {
  it('deletes a table, and its name is free again', async () => {
    await givenTable('deleted');
    const { status, body } = await server.delete(`/${family}/demo/deleted`);
    expect([status, body]).toEqual([200, { message: 'Table demo.deleted deleted' }]);
    expect(await failureOf(server, 'SELECT * FROM deleted')).toContain('deleted');
    expect((await server.delete(`/${family}/demo/deleted`)).body).toEqual(NOT_FOUND);
    expect((await givenTable('deleted')).status).toBe(200);
  });

  it('answers for a table of another account as for one that does not exist', async () => {
    await givenTable('kept');
    const { status, body } = await server.delete(`/${family}/demo/kept`, other);
    expect([status, body]).toEqual([404, NOT_FOUND]);
  });

  it('needs a key with the scope for it', async () => {
    await givenTable('guarded');
    const key = await server.givenKey('demo', { scope: 'read_write' });
    const { status, body } = await server.delete(`/${family}/demo/guarded`, key);
    expect([status, body]).toEqual([403, { error: 'This API key may not delete tables', code: 'scope_missing' }]);
  });
});
