import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rowsOf } from '../support/rows-of.js';
import { SharedServer } from '../support/shared-server.js';

let server: SharedServer;

beforeAll(async () => {
  server = await SharedServer.use();
});

afterAll(() => server.leave());

const SCHEMA = [
  { name: 'city', type: 'varchar' },
  { name: 'price', type: 'double', nullable: false },
];

describe.each([
  ['/table/create', 'created'],
  ['/uploads', 'uploaded'],
])('POST /v1%s', (path, name) => {
  const create = (body: object, key = server.key) =>
    server.post(path, { table_name: 't', schema: SCHEMA, ...body }, key);

  it('makes a table without rows that can be queried at once', async () => {
    expect(await create({ table_name: name, namespace: 'demo', description: 'Prices' })).toMatchObject({
      status: 200,
      body: {
        namespace: 'demo',
        table_name: name,
        full_name: `demo.${name}`,
        example_query: `select * from demo.${name} limit 10`,
        already_existed: false,
        message: expect.any(String),
      },
    });
    expect(await rowsOf(server, `SELECT count(city) AS n FROM ${name}`)).toEqual([{ n: 0 }]);
  });

  it('refuses a name that is taken', async () => {
    await create({ table_name: `${name}_twice` });
    expect(await create({ table_name: `${name}_twice` })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining(`There is a table ${name}_twice already`), code: 'table_exists' },
    });
  });

  it('gives every type that a client can ask for', async () => {
    const types = [
      'varchar',
      'varbinary',
      'uint256',
      'int256',
      'bigint',
      'integer',
      'double',
      'boolean',
      'timestamp',
      'date',
    ];
    const schema = types.map((type) => ({ name: `a_${type}`, type }));
    await create({ table_name: `${name}_types`, schema });
    const { body } = await server.get('/tables', { limit: 1000 });
    const table = body.tables.find((one: { full_name: string }) => one.full_name === `demo.${name}_types`);
    expect(table.columns).toEqual(types.map((type) => ({ name: `a_${type}`, type, nullable: true })));
    const execution = await server.givenResult(`SELECT * FROM ${name}_types`);
    const { metadata } = (await server.get(`/execution/${execution}/results`)).body.result;
    expect(metadata.column_types).toEqual(types.map((type) => (type.endsWith('256') ? 'int256' : type)));
  });

  it.each<[object, string]>([
    [{ table_name: undefined }, 'table_name: must be text'],
    [{ table_name: 'Prices' }, 'table_name: a table name is a lower-case letter'],
    [{ schema: undefined }, 'schema: must be a list'],
    [{ schema: [] }, 'schema: must not be empty'],
    [{ schema: ['city'] }, 'schema.0: must hold only objects'],
    [{ schema: [{ type: 'varchar' }] }, 'schema.0.name: must be text'],
    [{ schema: [{ name: 'a' }] }, 'schema.0.type: must be one of varchar, varbinary'],
    [{ schema: [{ name: 'a', type: 'text' }] }, 'schema.0.type: must be one of varchar, varbinary'],
    [{ schema: [{ name: 'a', type: 'varchar', nullable: 'no' }] }, 'schema.0.nullable: must be true or false'],
    [{ schema: [{ name: '1a', type: 'varchar' }] }, "schema: column '1a': a column name begins with a letter"],
    [
      { schema: [...SCHEMA, { name: 'CITY', type: 'date' }] },
      "schema: column 'CITY': another column has the same name",
    ],
    [{ schema: [{ name: 'a\ud800', type: 'varchar' }] }, 'schema.0.name: must not hold half of a surrogate pair'],
    [{ description: '\udc00' }, 'description: must not hold half of a surrogate pair'],
    [{ is_private: 'yes' }, 'is_private: must be true or false'],
  ])('refuses %j', async (body, sentence) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { error: expect.stringContaining(sentence) } });
  });

  it("refuses every namespace but the account's own alike", async () => {
    await server.givenKey('other');
    const answers = [await create({ namespace: 'other' }), await create({ namespace: 'nobody' })];
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([
        404,
        {
          error: 'Namespace not found: the tables of this API key stand in the namespace demo',
          code: 'namespace_not_found',
        },
      ]);
    }
  });

  it('refuses a private table to an account without the plan for it', async () => {
    const key = await server.givenKey('saver', { plan: 'plus' });
    expect(await create({ is_private: true }, key)).toMatchObject({
      status: 402,
      body: { code: 'private_table_plan' },
    });
  });

  it('needs a key that may change tables', async () => {
    const key = await server.givenKey('demo', { scope: 'read' });
    expect(await create({}, key)).toMatchObject({ status: 403, body: { error: 'This API key may not change tables' } });
  });
});
