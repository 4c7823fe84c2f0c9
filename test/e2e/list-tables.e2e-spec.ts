import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SharedServer } from '../support/shared-server.js';
import { expectNoNullKeys, INSTANT } from '../support/wire.js';

let server: SharedServer;

beforeAll(async () => {
  server = await SharedServer.use();
  for (const name of ['charlie', 'alpha', 'bravo'])
    await server.post('/table/upload/csv', {
      table_name: name,
      data: 'city,price\nParis,5.5\n',
      is_private: name === 'bravo',
    });
});

afterAll(() => server.leave());

describe.each(['/tables', '/uploads'])('GET /v1%s', (path) => {
  const namesOf = (body: { tables: { full_name: string }[] }) => body.tables.map(({ full_name }) => full_name);

  it('tells what the tables of the account are, by name', async () => {
    const { status, body } = await server.get(path);
    const table = (name: string, is_private: boolean) => ({
      full_name: `demo.${name}`,
      is_private,
      table_size_bytes: expect.stringMatching(/^[1-9]\d*$/),
      created_at: INSTANT,
      updated_at: INSTANT,
      owner: { handle: 'demo', type: 'user' },
      columns: [
        { name: 'city', type: 'varchar', nullable: true },
        { name: 'price', type: 'double', nullable: true },
      ],
    });
    expect([status, body]).toEqual([
      200,
      { tables: [table('alpha', false), table('bravo', true), table('charlie', false)] },
    ]);
    expectNoNullKeys(body);
  });

  it('gives pages that add up, and no next page after the last', async () => {
    const first = (await server.get(path, { limit: 2 })).body;
    expect([namesOf(first), first.next_offset]).toEqual([['demo.alpha', 'demo.bravo'], 2]);
    const second = (await server.get(path, { limit: 2, offset: first.next_offset })).body;
    expect([namesOf(second), 'next_offset' in second]).toEqual([['demo.charlie'], false]);
    expect((await server.get(path, { limit: 3 })).body).not.toHaveProperty('next_offset');
    expect((await server.get(path, { offset: 99 })).body).toEqual({ tables: [] });
  });

  it.each<[Record<string, string>, string]>([
    [{ limit: '0' }, 'limit: must be at least 1'],
    [{ limit: 'all' }, 'limit: must be a whole number'],
    [{ offset: '-1' }, 'offset: must be at least 0'],
  ])('refuses %j', async (query, sentence) => {
    expect(await server.get(path, query)).toMatchObject({ status: 400, body: { error: sentence } });
  });

  it("shows no other account's tables", async () => {
    expect((await server.get(path, {}, await server.givenKey('other'))).body).toEqual({ tables: [] });
  });
});
