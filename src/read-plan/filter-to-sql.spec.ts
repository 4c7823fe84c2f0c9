import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { scalarColumn } from '../../test/support/column.js';
import { quoteName, quoteText } from '../../test/support/write-filter.js';
import type { ScalarName } from '../types/scalar-types.js';
import { bindFilter } from './bind-filter.js';
import { columnFinder } from './column-finder.js';
import { filterToSql } from './filter-to-sql.js';
import { parseFilter } from './parse-filter.js';

const COLUMNS = [
  scalarColumn('size', 'INTEGER'),
  scalarColumn('name', 'VARCHAR'),
  scalarColumn('span', 'INTERVAL', 'text'),
];

/** Any character, often one of SQL syntax. (The unit `binary` takes a second to prepare.) */
const CHARACTER = fc.oneof(
  fc.constantFrom('"', "'", '\\', '?', ';', '-', ' ', 'a', '\0'),
  fc.integer({ min: 0, max: 0x10f7ff }).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800)),
);

const compile = (text: string, columns = COLUMNS) => filterToSql(bindFilter(parseFilter(text), columnFinder(columns)));

describe('filterToSql', () => {
  it('binds the literal of a comparison and casts it to the type of the column', () => {
    expect(compile('size >= 10')).toEqual({ text: '"size" >= CAST(? AS INTEGER)', values: ['10'] });
  });

  it('binds each literal of an IN list', () => {
    expect(compile('size IN (1, 2)')).toEqual({
      text: '"size" IN (CAST(? AS INTEGER), CAST(? AS INTEGER))',
      values: ['1', '2'],
    });
  });

  it.each([
    ['size = 5.5', 'FALSE', []],
    ['size <> 5.5', '"size" IS NOT NULL', []],
    ['size < 5.5', '"size" <= CAST(? AS INTEGER)', ['5']],
    ['size <= 5.5', '"size" <= CAST(? AS INTEGER)', ['5']],
    ['size > 5.5', '"size" > CAST(? AS INTEGER)', ['5']],
    ['size >= 5.5', '"size" > CAST(? AS INTEGER)', ['5']],
    ['size < -1e99', '"size" < CAST(? AS INTEGER)', ['-2147483648']],
    ['size >= -1e99', '"size" >= CAST(? AS INTEGER)', ['-2147483648']],
    ['size IN (5.5, 5)', '"size" IN (CAST(? AS INTEGER))', ['5']],
    ['size IN (5.5)', 'FALSE', []],
  ])('compares with a number that no value of the column equals: %s', (text, condition, values) => {
    expect(compile(text)).toEqual({ text: condition, values });
  });

  it('compiles LIKE, IS NULL and connectives', () => {
    expect(compile(`size IS NULL OR (name ILIKE 'a%' AND name <> '')`)).toEqual({
      text: '("size" IS NULL OR ("name" ILIKE CAST(? AS VARCHAR) AND "name" <> CAST(? AS VARCHAR)))',
      values: ['a%', ''],
    });
  });

  it('compares a column that is stored as text by its value', () => {
    expect(compile(`span > '1 day'`)).toEqual({
      text: 'CAST("span" AS INTERVAL) > CAST(? AS INTERVAL)',
      values: ['0 months 1 days 0 microseconds'],
    });
  });

  it('keeps every column name and every string out of the SQL syntax', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: CHARACTER, minLength: 1, maxLength: 30 }),
        fc.string({ unit: CHARACTER }),
        (name, text) => {
          const filter = `${quoteName(name)} = ${quoteText(text)}`;
          const { text: condition, values } = compile(filter, [scalarColumn(name, 'VARCHAR')]);
          expect(condition).toBe(`"${name.replaceAll('"', '""')}" = CAST(? AS VARCHAR)`);
          expect(values).toEqual([text]);
        },
      ),
    );
  });

  it('keeps every literal that an engine type takes in the bound values', () => {
    const numeric = fc.stringMatching(/^[+-]?\d{1,40}(\.\d{0,20})?(e[+-]?\d{1,3})?$/);
    const types = fc.constantFrom<ScalarName>('TINYINT', 'UBIGINT', 'HUGEINT', 'BIGNUM', 'FLOAT', 'DOUBLE');
    fc.assert(
      fc.property(types, numeric, fc.constantFrom('=', '<>', '<', '<=', '>', '>='), (type, number, operator) => {
        const { text, values } = compile(`a ${operator} ${number}`, [scalarColumn('a', type)]);
        expect(text).toMatch(/^(?:FALSE|"a" IS NOT NULL|"a" [<>=]+ CAST\(\? AS [A-Z]+\))$/);
        expect(values).toHaveLength(text.split('?').length - 1);
      }),
    );
  });
});
