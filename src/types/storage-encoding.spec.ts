import { describe, expect, it } from '@jest/globals';
import { StoredTextPrinter } from '../../test/support/stored-text.js';
import { raw, sql } from '../duckdb/sql.js';
import { toStoredSql } from './storage-encoding.js';

const printer = await StoredTextPrinter.open();

/** The type that the engine finds in the Parquet file. */
async function storedType(value: string): Promise<unknown> {
  await printer.store(`SELECT ${value} AS v`);
  const [row] = await printer.connection.rows(sql`SELECT typeof(v) FROM ${printer.stored}`);
  return row?.[0];
}

describe('toStoredSql', () => {
  it.each([
    ['true', 'BOOLEAN'],
    ['1::UBIGINT', 'UBIGINT'],
    ['sum(1::BIGINT)', 'DECIMAL(38,0)'],
    ['1::UHUGEINT', 'DECIMAL(38,0)'],
    ['0.5::FLOAT', 'FLOAT'],
    ['1.5::DECIMAL(12, 2)', 'DECIMAL(12,2)'],
    [`'a'`, 'VARCHAR'],
    [`'a'::BLOB`, 'BLOB'],
    ['uuid()', 'UUID'],
    [`DATE '2020-01-01'`, 'DATE'],
    [`TIME '10:00:00'`, 'TIME'],
    [`'2020-01-01'::TIMESTAMP_S`, 'TIMESTAMP'],
    [`'2020-01-01'::TIMESTAMP_MS`, 'TIMESTAMP'],
    [`'2020-01-01'::TIMESTAMP_NS`, 'TIMESTAMP_NS'],
    [`'2020-01-01'::TIMESTAMPTZ`, 'TIMESTAMP WITH TIME ZONE'],
  ])('stores %s as %s', async (value, type) => {
    expect(await storedType(value)).toBe(type);
  });

  it.each([
    '1::BIGNUM',
    `'1'::BIT`,
    `'a'::ENUM('a')`,
    `'{}'::JSON`,
    `INTERVAL '1 day'`,
    `'10:00:00+01'::TIMETZ`,
    `'10:00:00'::TIME_NS`,
    '[1]',
    'MAP {1: 2}',
    'row(1)',
  ])('stores %s as text', async (value) => {
    expect(await storedType(value)).toBe('VARCHAR');
  });

  it.each(['170141183460469231731687303715884105727::HUGEINT', '100000000000000000000000000000000000000::UHUGEINT'])(
    'refuses %s as a decimal',
    async (value) => {
      await expect(printer.store(`SELECT ${value} AS v`)).rejects.toMatchObject({ type: 'Conversion' });
    },
  );

  it('stores a column without a type as text', () => {
    const type = { kind: 'scalar', name: 'NULL' } as const;
    expect(toStoredSql(raw('v'), type, 'text')).toEqual(raw('CAST(v AS VARCHAR)'));
  });

  it('keeps the order of time stamps', async () => {
    await printer.store(`SELECT unnest(['infinity', '2020-01-01', '-infinity', '0044-03-15 (BC)'])::TIMESTAMP AS v`);
    const rows = await printer.connection.rows(sql`SELECT v::VARCHAR FROM ${printer.stored} ORDER BY ${raw('v')}`);
    expect(rows.flat()).toEqual(['-infinity', '0044-03-15 (BC) 00:00:00', '2020-01-01 00:00:00', 'infinity']);
  });
});
