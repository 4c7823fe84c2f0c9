import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findColumnNameIssue } from './column-name.js';
import { normalizeNames } from './normalize-names.js';

describe('normalizeNames', () => {
  it.each<[string, string]>([
    ['price', 'price'],
    ['Unit price (€)', 'Unit price (€)'],
    ['名前', '名前'],
    ['2020', 'c_2020'],
    ['1st place', 'c_1st place'],
    ['½', 'c_½'],
    ['_id', 'id'],
    ['  padded ', 'padded'],
    ['$price', 'price'],
    ['# 5', 'c_5'],
    ['😀 mood', 'mood'],
    ['Net\nsales', 'Net_sales'],
    ['a\t\r\nb', 'a_b'],
    ['', 'column_1'],
    ['%', 'column_1'],
    [' ', 'column_1'],
    ['x'.repeat(300), 'x'.repeat(200)],
    ['\u{20000}'.repeat(201), '\u{20000}'.repeat(200)],
  ])('makes of %j the name %j', (name, expected) => {
    expect(normalizeNames([name])).toEqual([expected]);
  });

  it.each<[string[], string[]]>([
    [
      ['a', 'A', 'a'],
      ['a', 'A_2', 'a_3'],
    ],
    [
      ['a', 'a', 'a_2'],
      ['a', 'a_3', 'a_2'],
    ],
    [
      ['_a', '$a', 'a'],
      ['a_2', 'a_3', 'a'],
    ],
    [
      ['', 'column_1', ''],
      ['column_1_2', 'column_1', 'column_3'],
    ],
    [
      ['x'.repeat(200), 'x'.repeat(201)],
      ['x'.repeat(200), `${'x'.repeat(198)}_2`],
    ],
  ])('gives no name twice: of %j it makes %j', (names, expected) => {
    expect(normalizeNames(names)).toEqual(expected);
  });

  it('makes every name valid and unique, and changes no such name', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'A', '_', '1', ' ', '\n', '😀', 'İ'), maxLength: 4 });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 20 }), (names) => {
        const normalized = normalizeNames(names);
        expect(normalized.map(findColumnNameIssue)).toEqual(names.map(() => undefined));
        expect(new Set(normalized.map((each) => each.toLowerCase())).size).toBe(names.length);
        expect(normalizeNames(normalized)).toEqual(normalized);
      }),
    );
  });
});
