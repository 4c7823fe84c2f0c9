import { describe, expect, it } from '@jest/globals';
import { openConnection } from '../../test/support/connection.js';
import { raw, sql } from '../duckdb/sql.js';
import { SCALAR_TYPES } from './scalar-types.js';
import { typeToSql } from './type-to-sql.js';

const connection = await openConnection();

describe('typeToSql', () => {
  it.each([
    ...Object.keys(SCALAR_TYPES).flatMap((name) => (name === 'ENUM' ? [] : [`"${name}"`])),
    'DECIMAL(18, 3)',
    'INTEGER[]',
    'MAP(VARCHAR, DATE[])',
    'STRUCT("a ""b""" INTEGER, c STRUCT(d DATE))',
    'UNION(a INTEGER, "b c" VARCHAR)',
  ])('names %s so that the engine knows it again', async (type) => {
    const [column] = await connection.describe(raw(`SELECT NULL::${type} LIMIT 0`));
    if (!column) throw new Error('The statement has no column');
    expect(await connection.describe(sql`SELECT NULL::${typeToSql(column.type)} LIMIT 0`)).toMatchObject([
      { type: column.type },
    ]);
  });

  it('takes an ENUM as text', () => {
    expect(typeToSql({ kind: 'scalar', name: 'ENUM' }).text).toBe('VARCHAR');
  });
});
