import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openConnection } from '../../../../test/support/connection.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import type { Row } from '../../../duckdb/connection/connection.js';
import { quoted, raw, sql } from '../../../duckdb/sql.js';
import type { ScalarName } from '../../../types/scalar-types.js';
import type { ChildTable } from '../run-messages.js';
import { rowsToSql } from './rows-to-sql.js';

const folder = temporaryFolder();
const connection = await openConnection();

async function pathOf(place: string): Promise<string> {
  const path = join(folder, place);
  await mkdir(dirname(path), { recursive: true });
  return path;
}

async function givenParquet(place: string, query: string): Promise<string> {
  const path = await pathOf(place);
  await connection.run(sql`COPY (${raw(query)}) TO ${quoted(path)} (FORMAT parquet)`);
  return path;
}

const column = (name: string, type: ScalarName) => ({ name, type: { kind: 'scalar', name: type } }) as const;

async function read(files: string[], more: Partial<ChildTable> = {}, rest = ''): Promise<Row[]> {
  const rows = rowsToSql({ namespace: 'ada', name: 't', isBareName: true, files, ...more });
  return connection.rows(sql`FROM (${rows}) ${raw(rest)}`);
}

describe('rowsToSql', () => {
  it('reads the parts of a table in their order', async () => {
    const parts = [await givenParquet('b.parquet', 'SELECT 1 AS n'), await givenParquet('a.parquet', 'SELECT 2 AS n')];
    expect(await read(parts)).toEqual([[1], [2]]);
  });

  it('casts what Parquet keeps as text, so that it compares as a number', async () => {
    const part = await givenParquet('wide.parquet', `SELECT unnest(['9', '${10n ** 60n}', NULL]) AS "the ""n"""`);
    const casts = [column('the "n"', 'BIGNUM')];
    expect(await read([part], { casts }, 'WHERE "the ""n""" > 9')).toEqual([[String(10n ** 60n)]]);
  });

  it('takes columns from the names of folders if it is told to', async () => {
    const files = [
      await givenParquet('hive/year=2025/a.parquet', 'SELECT 1 AS n'),
      await givenParquet('hive/year=2026/a.parquet', 'SELECT 2 AS n'),
    ];
    const reading = { format: 'parquet', columns: [] } as const;
    expect(await read(files, { reading: { ...reading, isHive: true } }, 'WHERE year = 2026')).toEqual([[2, '2026']]);
    expect(await read(files, { reading: { ...reading, isHive: false } })).toEqual([[1], [2]]);
  });

  it('has only the columns that it is told, of the types that it is told', async () => {
    const files = [await givenParquet('told/year=2026/a.parquet', 'SELECT 1 AS n, 2 AS other')];
    const partitions = [column('year', 'VARCHAR')];
    const reading = { format: 'parquet', isHive: true, columns: [column('n', 'INTEGER')], partitions } as const;
    expect(await read(files, { reading }, "WHERE year = '2026'")).toEqual([[1, '2026']]);
    expect(await read(files, { reading: { ...reading, partitions: [column('year', 'BIGINT')] } })).toEqual([
      [1, '2026'],
    ]);
  });

  it('keeps the types that it is told where Parquet files have come to have others, and lets filters reach them', async () => {
    const file = await givenParquet('types.parquet', "SELECT range AS n, 'x' AS t FROM range(1000)");
    const asTold = (type: ScalarName) => ({
      reading: { format: 'parquet', isHive: false, columns: [column('n', type), column('t', 'VARCHAR')] } as const,
    });
    expect(await read([file], asTold('VARCHAR'), "WHERE n = '7'")).toEqual([['7', 'x']]);
    await expect(
      read([file], { reading: { format: 'parquet', isHive: false, columns: [column('t', 'BIGINT')] } }),
    ).rejects.toThrow("Could not convert string 'x' to INT64");
    const rows = rowsToSql({ namespace: 'ada', name: 't', isBareName: true, files: [file], ...asTold('BIGINT') });
    const plan = await connection.rows(sql`EXPLAIN FROM (${rows}) WHERE n = 7`);
    expect(String(plan.flat().at(-1))).toMatch(/READ_PARQUET.*Filters:.*n=7/s);
    expect(String(plan.flat().at(-1))).not.toMatch(/CAST/);
  });

  it('fails where a column is in none of the files, or a folder does not fit', async () => {
    const files = [
      await givenParquet('changed/year=2026/a.parquet', 'SELECT 1 AS n'),
      await givenParquet('changed/year=20x6/a.parquet', 'SELECT 1 AS n'),
      await givenParquet('changed/a.parquet', 'SELECT 1 AS n'),
    ];
    const partitions = [column('year', 'BIGINT')];
    const reading = { format: 'parquet', isHive: true, columns: [column('n', 'INTEGER')], partitions } as const;
    const lost = { ...reading, columns: [column('lost', 'INTEGER')] };
    await expect(read(files.slice(0, 1), { reading: lost })).rejects.toThrow('does not have a column named "lost"');
    await expect(read(files.slice(0, 2), { reading })).rejects.toThrow("Unable to cast '20x6'");
    await expect(read(files, { reading })).rejects.toThrow('Hive partition mismatch');
  });

  it('lets filters and projections reach the files', async () => {
    const file = await givenParquet('large.parquet', 'SELECT range AS n, range % 7 AS rest FROM range(1000)');
    const columns = [column('n', 'BIGINT'), column('rest', 'BIGINT')];
    const reading = { format: 'parquet', isHive: false, columns } as const;
    const rows = rowsToSql({ namespace: 'ada', name: 't', isBareName: true, files: [file], reading });
    const [plan] = await connection.rows(sql`EXPLAIN SELECT rest FROM (${rows}) WHERE n = 5`);
    expect(String(plan?.[1])).toMatch(/Projections:\s*│?\s*rest[\s\S]*Filters:[\s\S]*n=5/);
  });
});
