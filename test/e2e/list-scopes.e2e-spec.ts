import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SharedServer } from '../support/shared-server.js';

/** Two accounts, each with something public and something private. */
describe('lists of what others share', () => {
  let server: SharedServer;
  let ada: string;
  let bob: string;

  beforeAll(async () => {
    server = await SharedServer.use();
    ada = await server.givenKey('ada');
    bob = await server.givenKey('bob');
    await givenQuery(ada, { name: 'Busy airports', description: 'By number of flights', tags: ['Travel', 'größe'] });
    await givenQuery(ada, { name: 'Salaries of 100% of us', is_private: true });
    await givenQuery(bob, { name: 'Prices', description: 'AIRPORT taxes, too' });
    await givenQuery(bob, { name: 'Secret airports', is_private: true });
    const old = await givenQuery(bob, { name: 'Old airports' });
    await server.post(`/query/${old}/archive`, undefined, bob);
    await givenTable(ada, { table_name: 'airports', description: 'Where planes land' });
    await givenTable(ada, { table_name: 'salaries', is_private: true });
    await givenTable(bob, { table_name: 'prices', description: 'Of PLANES' });
    await givenTable(bob, { table_name: 'a_secret', is_private: true });
  });
  afterAll(() => server.leave());

  async function givenQuery(key: string, fields: object): Promise<number> {
    return await server.givenQuery('SELECT 1', fields, key);
  }

  async function givenTable(key: string, fields: object): Promise<void> {
    const { status } = await server.post('/table/upload/csv', { data: 'n\n1\n', ...fields }, key);
    expect(status).toBe(200);
  }

  describe('GET /v1/queries', () => {
    const list = async (key: string, filter: Record<string, string | number>) => {
      const { body } = await server.get('/queries', filter, key);
      return [body.total, ...body.queries.map((query: { name: string }) => query.name)];
    };

    it("gives by scope one's own, the public ones of others, or both, newest first", async () => {
      const own = ['Salaries of 100% of us', 'Busy airports'];
      expect(await list(ada, {})).toEqual([2, ...own]);
      expect(await list(ada, { scope: 'own' })).toEqual([2, ...own]);
      expect(await list(ada, { scope: 'public' })).toEqual([1, 'Prices']);
      expect(await list(ada, { scope: 'all' })).toEqual([3, 'Prices', ...own]);
      expect(await list(bob, { scope: 'own' })).toEqual([3, 'Old airports', 'Secret airports', 'Prices']);
      expect(await list(bob, { scope: 'public' })).toEqual([1, 'Busy airports']);
    });

    it('names the owner of each', async () => {
      const { queries } = (await server.get('/queries', { scope: 'all' }, ada)).body;
      expect(queries.map(({ owner }: { owner: string }) => owner)).toEqual(['bob', 'ada', 'ada']);
    });

    it('counts all that match, whatever the page', async () => {
      expect(await list(ada, { scope: 'all', limit: 1, offset: 1 })).toEqual([3, 'Salaries of 100% of us']);
      expect(await list(ada, { scope: 'all', limit: 0 })).toEqual([3]);
    });

    it.each<[string, string[]]>([
      ['airport', ['Prices', 'Busy airports']],
      ['FLIGHTS busy', ['Busy airports']],
      ['travel', ['Busy airports']],
      ['GRÖSSE', []],
      ['GRÖßE', ['Busy airports']],
      ['%', ['Salaries of 100% of us']],
      ['_', []],
      ['\\', []],
      ["'", []],
      ['   ', ['Prices', 'Salaries of 100% of us', 'Busy airports']],
      ['secret', []],
    ])('finds by search=%s, in any case, what stands in name, description and tags', async (search, names) => {
      expect(await list(ada, { scope: 'all', search })).toEqual([names.length, ...names]);
    });

    it('searches what was altered', async () => {
      const id = await givenQuery(ada, { name: 'Before', tags: ['one'] });
      await server.patch(`/query/${id}`, { name: 'After', tags: ['two'] }, ada);
      expect(await list(ada, { search: 'before' })).toEqual([0]);
      expect(await list(ada, { search: 'TWO after' })).toEqual([1, 'After']);
      await server.post(`/query/${id}/private`, undefined, ada);
      expect(await list(bob, { scope: 'public', search: 'after' })).toEqual([0]);
      await server.patch(`/query/${id}`, { is_private: false, is_archived: true }, ada);
      expect(await list(bob, { scope: 'all', search: 'after' })).toEqual([0]);
    });

    it.each([
      [{ scope: 'mine' }, 'scope: must be one of own, public, all'],
      [{ search: 'x'.repeat(201) }, 'search: must be at most 200 characters long'],
    ])('refuses %j', async (filter, error) => {
      expect(await server.get('/queries', filter, ada)).toMatchObject({ status: 400, body: { error } });
    });
  });

  describe.each(['/tables', '/uploads'])('GET /v1%s', (path) => {
    const list = async (key: string, filter: Record<string, string | number>) => {
      const { body } = await server.get(path, filter, key);
      return body.tables.map((table: { full_name: string }) => table.full_name);
    };

    it("gives by scope one's own, the public ones of others, or both, by full name", async () => {
      expect(await list(ada, {})).toEqual(['ada.airports', 'ada.salaries']);
      expect(await list(ada, { scope: 'public' })).toEqual(['bob.prices']);
      expect(await list(ada, { scope: 'all' })).toEqual(['ada.airports', 'ada.salaries', 'bob.prices']);
      expect(await list(bob, { scope: 'own' })).toEqual(['bob.a_secret', 'bob.prices']);
      expect(await list(bob, { scope: 'public' })).toEqual(['ada.airports']);
    });

    it('gives pages that add up', async () => {
      const first = (await server.get(path, { scope: 'all', limit: 2 }, bob)).body;
      expect(first.next_offset).toBe(2);
      expect(await list(bob, { scope: 'all', limit: 2, offset: 2 })).toEqual(['bob.prices']);
    });

    it.each<[string, string[]]>([
      ['planes', ['ada.airports', 'bob.prices']],
      ['BOB.', ['bob.prices']],
      ['ada LAND', ['ada.airports']],
      ['a_', []],
      ['secret', []],
    ])('finds by search=%s, in any case, what stands in full name and description', async (search, names) => {
      expect(await list(ada, { scope: 'all', search })).toEqual(names);
    });

    it('refuses other scopes', async () => {
      expect(await server.get(path, { scope: '' }, ada)).toMatchObject({
        status: 400,
        body: { error: 'scope: must be one of own, public, all' },
      });
    });
  });
});
