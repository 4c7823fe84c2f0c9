import { describe, expect, it } from '@jest/globals';
import { StoredTextPrinter } from '../../test/support/stored-text.js';
import { sql } from '../duckdb/sql.js';
import { fixedWidthBytes, logicalBytesSql } from './logical-bytes.js';

const printer = await StoredTextPrinter.open();

async function rowBytes(values: string): Promise<number> {
  const columns = await printer.store(`SELECT ${values}`);
  const [row] = await printer.connection.rows(sql`SELECT ${logicalBytesSql(columns)} FROM ${printer.stored}`);
  return Number(row?.[0]);
}

describe('logicalBytesSql', () => {
  it.each([
    ['true', 1],
    ['1::TINYINT', 1],
    ['1::USMALLINT', 2],
    ['1::INTEGER', 4],
    ['1::UBIGINT', 8],
    ['1::HUGEINT', 16],
    ['1::FLOAT', 4],
    ['1::DOUBLE', 8],
    ['1::DECIMAL(4, 1)', 2],
    ['1::DECIMAL(9, 1)', 4],
    ['1::DECIMAL(18, 1)', 8],
    ['1::DECIMAL(38, 1)', 16],
    [`DATE '2020-01-01'`, 4],
    [`TIME '10:00:00'`, 8],
    [`'2020-01-01'::TIMESTAMP_NS`, 8],
    ['uuid()', 16],
    [`INTERVAL '1 day'`, 16],
    [`'10:00:00+01'::TIMETZ`, 8],
    [`'é😀'`, 6],
    [`''`, 0],
    [`'\\xAB\\xCD'::BLOB`, 2],
    ['[1, 2]', 5],
    [`'{ "a": 1 }'::JSON`, 7],
    ['NULL', 0],
    ['NULL::HUGEINT', 0],
    ['NULL::VARCHAR', 0],
    ['NULL::BLOB', 0],
    [`1::BIGINT, 'ab', NULL::DOUBLE, true`, 11],
  ])('counts %s as %i', async (values, bytes) => {
    expect(await rowBytes(values)).toBe(bytes);
  });

  it('counts rows of a thousand columns', async () => {
    expect(await rowBytes(Array.from({ length: 1000 }, (_, index) => `${index} AS c${index}`).join(', '))).toBe(4000);
  });

  it('counts rows of a thousand texts, some of them missing, beside other columns', async () => {
    const texts = Array.from(
      { length: 1000 },
      (_, index) => `${index % 3 === 0 ? 'NULL::VARCHAR' : `'é'`} AS c${index}`,
    );
    expect(await rowBytes(`${texts.join(', ')}, '\\xAB'::BLOB AS b, 1::BIGINT AS n`)).toBe(2 * 666 + 1 + 8);
  });

  it('counts a row without columns as 0', () => {
    expect(logicalBytesSql([]).text).toBe('CAST(0 AS BIGINT)');
  });
});

describe('fixedWidthBytes', () => {
  it('knows no width of text and nested values', () => {
    expect(fixedWidthBytes({ kind: 'scalar', name: 'VARCHAR' })).toBeUndefined();
    expect(fixedWidthBytes({ kind: 'list', element: { kind: 'scalar', name: 'INTEGER' } })).toBeUndefined();
  });
});
