import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Connection, Database } from '../duckdb/connection/connection.js';
import { raw, sql } from '../duckdb/sql.js';
import { typeToSql } from './type-to-sql.js';

describe('typeToSql', () => {
  let database: Database;
  let connection: Connection;

  beforeAll(async () => {
    database = await Database.open();
    connection = await database.connect();
  });

  afterAll(() => {
    connection.close();
    database.close();
  });

  it.each([
    'BOOLEAN',
    'TINYINT',
    'HUGEINT',
    'UHUGEINT',
    'BIGNUM',
    'DOUBLE',
    'VARCHAR',
    'JSON',
    'BLOB',
    'BIT',
    'UUID',
    'DATE',
    'TIME',
    'TIME_NS',
    'TIMETZ',
    'TIMESTAMP',
    'TIMESTAMP_S',
    'TIMESTAMP_MS',
    'TIMESTAMP_NS',
    'TIMESTAMPTZ',
    'INTERVAL',
    '"NULL"',
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
