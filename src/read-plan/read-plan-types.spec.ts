import { describe, expect, it } from '@jest/globals';
import { StoredResult } from '../../test/support/stored-result.js';

/** For each type three values in ascending order: as SQL, and as a filter writes them. */
const TYPES: [type: string, values: [string, string, string], literals: [string, string, string]][] = [
  ['BOOLEAN', ['false', 'true', 'true'], ['FALSE', `'true'`, 'TRUE']],
  ['TINYINT', ['-128', '0', '127'], ['-128', '0', '127']],
  ['SMALLINT', ['-32768', '5', '32767'], ['-32768', `'5'`, '32767']],
  ['INTEGER', ['-2147483648', '5', '2147483647'], ['-2147483648', '5.0', '2147483647']],
  [
    'BIGINT',
    ['-9223372036854775808', '9007199254740993', '9223372036854775807'],
    ['-9223372036854775808', '9007199254740993', '9223372036854775807'],
  ],
  ['HUGEINT', [`-${'9'.repeat(38)}`, '5', '9'.repeat(38)], [`-${'9'.repeat(38)}`, '5', '9'.repeat(38)]],
  ['UTINYINT', ['0', '5', '255'], ['0', '5', '255']],
  ['USMALLINT', ['0', '5', '65535'], ['0', '5', '65535']],
  ['UINTEGER', ['0', '5', '4294967295'], ['0', '5', '4294967295']],
  ['UBIGINT', ['0', '5', '18446744073709551615'], ['0', '5', '18446744073709551615']],
  ['UHUGEINT', ['0', '5', '9'.repeat(38)], ['0', '5', '9'.repeat(38)]],
  ['BIGNUM', [`-${'9'.repeat(50)}`, '5', '9'.repeat(50)], [`-${'9'.repeat(50)}`, '5', '9'.repeat(50)]],
  ['DECIMAL(4,1)', ['-999.9', '0.5', '999.9'], ['-999.9', '.5', '999.9']],
  ['DECIMAL(9,2)', ['-1.24', '-1.23', '1.23'], ['-1.24', '-1.23', '123e-2']],
  ['DECIMAL(18,3)', ['-1', '0', '900719925474099.301'], ['-1', '0', '900719925474099.301']],
  [
    'DECIMAL(38,10)',
    ['-1234567890123456789012345678.0123456789', '0', '1234567890123456789012345678.0123456789'],
    ['-1234567890123456789012345678.0123456789', '0', '1234567890123456789012345678.0123456789'],
  ],
  ['FLOAT', ['-0.1', '0.1', 'NaN'], ['-0.1', '0.1', `'nan'`]],
  ['DOUBLE', ['-Infinity', '0.1', 'Infinity'], [`'-Infinity'`, `'0.1'`, `'inf'`]],
  ['VARCHAR', ['', '10', '9'], [`''`, `'10'`, `'9'`]],
  ['JSON', ['[1]', '{"a": 1}', '{"b":1}'], [`'[1]'`, `'{"a":1}'`, `'{"b":1}'`]],
  ['BLOB', ['\\x00', '\\x00\\x27', '\\xFF'], ['0x00', `'0x0027'`, '0xff']],
  ['BIT', ['0', '0101', '1'], [`'0'`, `'0101'`, `'1'`]],
  [
    'UUID',
    [
      '00000000-0000-0000-0000-000000000001',
      '7fffffff-0000-0000-0000-000000000000',
      'c0ffee00-c0ff-ee00-c0ff-ee00c0ffee00',
    ],
    [
      `'00000000-0000-0000-0000-000000000001'`,
      `'7FFFFFFF-0000-0000-0000-000000000000'`,
      `'c0ffee00c0ffee00c0ffee00c0ffee00'`,
    ],
  ],
  [`ENUM('large', 'medium', 'small')`, ['large', 'medium', 'small'], [`'large'`, `'medium'`, `'small'`]],
  [
    'DATE',
    ['5877642-06-25 (BC)', '2024-02-29', '5881580-07-10'],
    [`'5877642-06-25 (BC)'`, `'2024-02-29'`, `'5881580-07-10'`],
  ],
  ['TIME', ['00:00:00', '10:20:30.000001', '24:00:00'], [`'00:00'`, `'10:20:30.000001'`, `'24:00:00'`]],
  [
    'TIME_NS',
    ['00:00:00', '10:20:30.000000001', '23:59:59.999999999'],
    [`'00:00'`, `'10:20:30.000000001'`, `'23:59:59.999999999'`],
  ],
  ['TIMETZ', ['12:00:00+03:00', '10:20:30+00', '10:20:30-02:30'], [`'12:00:00+03'`, `'10:20:30'`, `'10:20:30-02:30'`]],
  [
    'TIMESTAMP',
    ['290309-12-22 (BC) 00:00:00', '2024-02-29 10:20:30.000001', '294247-01-10 04:00:54.775806'],
    [`'290309-12-22 (BC)'`, `'2024-02-29T12:20:30.000001+02:00'`, `'294247-01-10 04:00:54.775806 UTC'`],
  ],
  [
    'TIMESTAMP_S',
    ['1969-12-31 23:59:59', '2024-02-29 10:20:30', 'infinity'],
    [`'1969-12-31 23:59:59'`, `'2024-02-29T10:20:30Z'`, `'infinity'`],
  ],
  [
    'TIMESTAMP_MS',
    ['1969-12-31 23:59:59.999', '2024-02-29 10:20:30.123', '2025-01-01'],
    [`'1969-12-31 23:59:59.999'`, `'2024-02-29 10:20:30.123 UTC'`, `'2025-01-01'`],
  ],
  [
    'TIMESTAMP_NS',
    ['1677-09-22 00:00:00', '2024-02-29 10:20:30.123456789', '2262-04-11 23:47:16.854775806'],
    [`'1677-09-22'`, `'2024-02-29 10:20:30.123456789 UTC'`, `'2262-04-11 23:47:16.854775806'`],
  ],
  [
    'TIMESTAMPTZ',
    ['-infinity', '2024-02-29 10:20:30+02', '294247-01-10 04:00:54.775806+00'],
    [`'-infinity'`, `'2024-02-29 08:20:30'`, `'294247-01-10 04:00:54.775806'`],
  ],
  ['INTERVAL', ['-1 day -00:00:01', '1 month', '31 days'], [`'-1 day -00:00:01'`, `'1 month'`, `'31 days'`]],
  [
    'INTERVAL',
    ['-178956970 years -7 months', '2147483647 days', '178956970 years 7 months 2147483647 days'],
    [`'-178956970 years -7 months'`, `'2147483647 days'`, `'178956970 years 7 months 2147483647 days'`],
  ],
  ['INTEGER[]', ['[1, 1]', '[1, 2]', '[2]'], [`'[1,1]'`, `'[1,2]'`, `'[2]'`]],
  ['INTEGER[2]', ['[1, 1]', '[1, 2]', '[2, 0]'], [`'[1,1]'`, `'[1,2]'`, `'[2,0]'`]],
  ['STRUCT(a INTEGER)', [`{'a': 1}`, `{'a': 2}`, `{'a': 3}`], [`'{"a":1}'`, `'{"a":2}'`, `'{"a":3}'`]],
  ['MAP(VARCHAR, INTEGER)', ['{a=1}', '{a=2}', '{b=1}'], [`'{"a":1}'`, `'{"a":2}'`, `'{"b":1}'`]],
  [
    'UNION(a INTEGER, b VARCHAR)',
    ['union_value(a := 1)', 'union_value(a := 2)', `union_value(b := 'x')`],
    [`'{"a":1}'`, `'{"a":2}'`, `'{"b":"x"}'`],
  ],
  ['VARIANT', ['a', 'b', 'c'], [`'"a"'`, `'"b"'`, `'"c"'`]],
  ['GEOMETRY', ['POINT (1 2)', 'POINT (1 3)', 'POINT (2 1)'], [`'POINT (1 2)'`, `'POINT (1 3)'`, `'POINT (2 1)'`]],
];

/** Literals between the values of a type, outside of them, or outside of the type. */
const BESIDE: [type: string, literal: string, valuesBelow: number][] = [
  ['TINYINT', '300', 3],
  ['TINYINT', '-128.5', 0],
  ['INTEGER', '5.5', 2],
  ['INTEGER', '4.99999999999999999999999', 1],
  ['BIGINT', '9007199254740992.5', 1],
  ['BIGINT', '1e30', 3],
  ['UBIGINT', '-1', 0],
  ['HUGEINT', '1e50', 3],
  ['DECIMAL(9,2)', '-1.235', 1],
  ['DECIMAL(9,2)', '1.2300000000000000000000000001', 3],
  ['DECIMAL(18,3)', '900719925474099.3015', 3],
  ['FLOAT', '1e39', 2],
  ['FLOAT', '-1e39', 0],
  ['DOUBLE', '1e309', 2],
  ['DOUBLE', '-1e309', 1],
  ['DATE', `'2024-02-29 00:00:00.000000001'`, 2],
  ['DATE', `'2024-02-28T23:59:59Z'`, 1],
  ['TIME', `'10:20:30.000001001'`, 2],
  ['TIMESTAMP', `'2024-02-29 10:20:30.000001001'`, 2],
  ['TIMESTAMP', `'999999-01-01'`, 3],
  ['TIMESTAMP_NS', `'9999-12-31'`, 3],
  ['TIMESTAMP_NS', `'0001-01-01'`, 0],
];

const OPERATORS: [operator: string, holds: (order: number) => boolean][] = [
  ['=', (order) => order === 0],
  ['<>', (order) => order !== 0],
  ['!=', (order) => order !== 0],
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0],
];

/** Row 0 holds NULLs, rows 1 to 3 the values of each type. */
async function storeTypes(): Promise<StoredResult> {
  const rows = [0, 1, 2].map((row) => {
    const fields = TYPES.map(([type, values], index) => {
      const value = values[row] ?? '';
      return `CAST(${/^(?:STRUCT|UNION)/.test(type) ? value : `'${value}'`} AS ${type}) AS c${index}`;
    });
    return `SELECT ${row + 1} AS n, ${fields.join(', ')}`;
  });
  const nulls = `SELECT 0 AS n, ${TYPES.map((_, index) => `NULL AS c${index}`).join(', ')}`;
  const types = TYPES.map(([type], index) => `CAST(c${index} AS ${type}) AS c${index}`);
  return await StoredResult.of(
    `SELECT n, NULL AS always_null, ${types.join(', ')} FROM (${[...rows, nulls].join(' UNION ALL ')}) ORDER BY n`,
  );
}

const result = await storeTypes();

async function rowsWhere(filters: string): Promise<number[]> {
  return (await result.read({ filters, columns: 'n' })).map(([n]) => Number(n));
}

const NUMBERED = TYPES.map(([type, values, literals], index) => ({ type, values, literals, column: `c${index}` }));

describe('readPlanToSql over a stored column of each type', () => {
  it.each(NUMBERED)('compares $type by value, and no NULL with anything', async ({ column, values, literals }) => {
    for (const [at, literal] of literals.entries()) {
      for (const [operator, holds] of OPERATORS) {
        const expected = [0, 1, 2].filter((row) => holds(values[row] === values[at] ? 0 : row - at));
        expect([operator, literal, await rowsWhere(`${column} ${operator} ${literal}`)]).toEqual([
          operator,
          literal,
          expected.map((row) => row + 1),
        ]);
      }
    }
  });

  it.each(NUMBERED)('finds $type in a list, and its NULLs by IS NULL', async ({ column, literals: [low, , high] }) => {
    expect(await rowsWhere(`${column} IN (${high}, ${low})`)).toEqual(expect.arrayContaining([1, 3]));
    expect(await rowsWhere(`${column} IS NULL`)).toEqual([0]);
  });

  it.each(NUMBERED)('sorts $type by value with NULLs last', async ({ column }) => {
    const sorted = async (direction: string) =>
      (await result.read({ sortBy: `${column} ${direction}, n`, columns: 'n' })).map(([n]) => n);
    expect(await sorted('asc')).toEqual([1, 2, 3, 0]);
    expect((await sorted('desc'))[3]).toBe(0);
  });

  it.each(BESIDE)('compares %s with %s, which none of its values is', async (type, literal, valuesBelow) => {
    const column = NUMBERED.find((numbered) => numbered.type === type)?.column;
    const below = [1, 2, 3].slice(0, valuesBelow);
    const above = [1, 2, 3].slice(valuesBelow);
    expect(await rowsWhere(`${column} = ${literal}`)).toEqual([]);
    expect(await rowsWhere(`${column} IN (${literal}, ${literal})`)).toEqual([]);
    expect(await rowsWhere(`${column} <> ${literal}`)).toEqual([1, 2, 3]);
    expect(await rowsWhere(`${column} < ${literal}`)).toEqual(below);
    expect(await rowsWhere(`${column} <= ${literal}`)).toEqual(below);
    expect(await rowsWhere(`${column} > ${literal}`)).toEqual(above);
    expect(await rowsWhere(`${column} >= ${literal}`)).toEqual(above);
  });

  it('matches nothing but IS NULL in a column of nothing but NULLs', async () => {
    expect(await rowsWhere(`always_null = 1 OR always_null <> 1 OR always_null < 1.5 OR always_null IN (1)`)).toEqual(
      [],
    );
    expect(await rowsWhere('always_null IS NULL')).toEqual([0, 1, 2, 3]);
  });

  it('refuses LIKE for a column that is no text, and takes it for every other', async () => {
    const textual = NUMBERED.filter(
      ({ literals: [low], type }) =>
        /^(?:VARCHAR|JSON|BIT|ENUM|INTEGER\[|STRUCT|MAP|UNION|VARIANT|GEOMETRY)/.test(type) && low,
    );
    for (const { column } of textual) expect(await rowsWhere(`${column} LIKE '%'`)).toEqual([1, 2, 3]);
    for (const { column } of NUMBERED.filter((numbered) => !textual.includes(numbered))) {
      expect(() => result.toSql({ filters: `${column} LIKE '%'` })).toThrow(
        expect.objectContaining({ code: 'literal_type' }),
      );
    }
  });
});
