import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SharedServer } from '../support/shared-server.js';

/**
 * The list of `docs/contract.md`, "Column types"; a name in brackets or with parts begins with one
 * of these words.
 */
const KNOWN = `boolean tinyint smallint integer bigint hugeint real double decimal varchar varbinary date time timestamp
  interval uuid array map row json uint256 int256`.split(/\s+/);

/** Engine type, its least value and its greatest, and the type's name on the wire. */
const NARROWER: readonly (readonly [string, string, string, string])[] = [
  ['UTINYINT', '0', '255', 'smallint'],
  ['USMALLINT', '0', '65535', 'integer'],
  ['UINTEGER', '0', '4294967295', 'bigint'],
  ['UBIGINT', '0', '18446744073709551615', 'decimal(20, 0)'],
  ['UHUGEINT', '0', '340282366920938463463374607431768211455', 'uint256'],
  ['BIGNUM', `-${'9'.repeat(60)}`, '9'.repeat(60), 'int256'],
];

describe('column_types', () => {
  let server: SharedServer;

  beforeAll(async () => {
    server = await SharedServer.use();
  });
  afterAll(() => server.leave());

  it.each(NARROWER)(
    'names %s by a type that clients know, and keeps its values exact',
    async (type, min, max, name) => {
      const result = await server.givenResult(`SELECT v::${type} AS v FROM (VALUES ('${max}'), ('${min}')) AS t (v)`);
      const { metadata, rows } = (await server.get(`/execution/${result}/results`, { sort_by: 'v' })).body.result;
      expect(metadata.column_types).toEqual([name]);
      expect(rows.map(({ v }: { v: unknown }) => String(v))).toEqual([min, max]);
      const csvOf = async (filters: string) => (await server.get(`/execution/${result}/results/csv`, { filters })).text;
      expect(await csvOf(`v >= ${max}`)).toBe(`v\n${max}\n`);
      expect(await csvOf(`v <= '${min}'`)).toBe(`v\n${min}\n`);
      expect(await csvOf(`v IN (${max}, ${min})`)).toBe(`v\n${max}\n${min}\n`);
    },
  );

  it('are all of the list, for every type of the engine and inside nested ones', async () => {
    const types = await server.givenResult(`
      SELECT '10:20:30+02'::TIMETZ AS t, [1::UTINYINT] AS l, {'a': 1::UBIGINT, 'b': [2::BIGNUM]} AS s,
        MAP {1::UINTEGER: 2::UHUGEINT} AS m, 1::USMALLINT AS u, '0101'::BIT AS b, 'a'::ENUM('a') AS e`);
    const { column_types } = (await server.get(`/execution/${types}/results`)).body.result.metadata;
    expect(column_types).toEqual([
      'time with time zone',
      'array(smallint)',
      'row(a decimal(20, 0), b array(int256))',
      'map(bigint, uint256)',
      'integer',
      'varchar',
      'varchar',
    ]);
    for (const type of column_types) expect(KNOWN).toContain(/^\w+/.exec(type)?.[0]);
  });
});
