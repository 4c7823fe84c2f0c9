import { describe, expect, it } from '@jest/globals';
import { StoredTextPrinter } from '../../test/support/stored-text.js';
import { identifier, sql } from '../duckdb/sql.js';
import type { Column } from './column.js';
import { storedValueSql } from './stored-value.js';

const printer = await StoredTextPrinter.open();

/** What is stored of values given out of order, sorted by their engine value. */
async function sorted(values: string, shape: Partial<Column> = {}): Promise<unknown[]> {
  const [column] = await printer.store(`SELECT unnest(${values}) AS v`, shape);
  if (!column) throw new Error('one column');
  const rows = await printer.connection.rows(
    sql`SELECT CAST(${identifier('v')} AS VARCHAR) FROM ${printer.stored} ORDER BY ${storedValueSql(column)}`,
  );
  return rows.flat();
}

describe('storedValueSql', () => {
  it.each(['HUGEINT', 'UHUGEINT', 'BIGNUM'])('sorts %s by number, also when it is stored as text', async (type) => {
    expect(await sorted(`['100', '9', '20']::${type}[]`)).toEqual(['9', '20', '100']);
    expect(await sorted(`['100', '9', '20']::${type}[]`, { storedAs: 'text' })).toEqual(['9', '20', '100']);
  });

  it('sorts intervals by length', async () => {
    expect(await sorted(`[INTERVAL '10 days', INTERVAL '9 days', INTERVAL '-1 month', INTERVAL '1 hour']`)).toEqual([
      '-1 month',
      '01:00:00',
      '9 days',
      '10 days',
    ]);
  });

  it('sorts times with a zone by instant', async () => {
    expect(await sorted(`['10:00:00+00', '11:00:00+02', '23:00:00+15:59:59']::TIMETZ[]`)).toEqual([
      '23:00:00+15:59:59',
      '11:00:00+02',
      '10:00:00+00',
    ]);
  });

  it('sorts times of nanoseconds by value', async () => {
    expect(await sorted(`['10:00:00.5', '09:00:00.000000001', '10:00:00', '09:00:00']::TIME_NS[]`)).toEqual([
      '09:00:00',
      '09:00:00.000000001',
      '10:00:00',
      '10:00:00.5',
    ]);
  });

  it('takes other columns as they are', async () => {
    const [column] = await printer.store('SELECT [1] AS "odd ""name"');
    expect(column && storedValueSql(column)).toEqual(identifier('odd "name'));
  });
});
