import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type RegionKind, splitRegions } from './sql-regions.js';

const marked = (sql: string) =>
  splitRegions(sql)
    .filter(({ kind }) => kind !== 'code')
    .map(({ kind, text }) => [kind, text]);

describe('splitRegions', () => {
  it.each<[string, [RegionKind, string][]]>([
    ['SELECT 1', []],
    [
      "SELECT 'a' || 'b'",
      [
        ['string', 'a'],
        ['string', 'b'],
      ],
    ],
    [
      "SELECT 'it''s', ''",
      [
        ['string', "it''s"],
        ['string', ''],
      ],
    ],
    [
      "SELECT 'back\\' || 'b'",
      [
        ['string', 'back\\'],
        ['string', 'b'],
      ],
    ],
    [
      "SELECT E'it\\'s', e'\\\\'",
      [
        ['escape_string', "it\\'s"],
        ['escape_string', '\\\\'],
      ],
    ],
    ["SELECT code'x'", [['string', 'x']]],
    ['SELECT "a""b"', [['identifier', 'a""b']]],
    [
      "SELECT $$it's$$ || $x$ $$ $x$",
      [
        ['dollar_string', "it's"],
        ['dollar_string', ' $$ '],
      ],
    ],
    ['SELECT a$b$c, $1', []],
    [
      "-- it's\nSELECT 'a'",
      [
        ['comment', " it's"],
        ['string', 'a'],
      ],
    ],
    [
      "/* a /* b */ ' */ SELECT 'c'",
      [
        ['comment', " a /* b */ ' */"],
        ['string', 'c'],
      ],
    ],
    [
      "SELECT '-- no comment' -- one",
      [
        ['string', '-- no comment'],
        ['comment', ' one'],
      ],
    ],
    ["SELECT {{a--b}}, 'c'", [['string', 'c']]],
    ["SELECT 'open", [['string', 'open']]],
    ['SELECT /* open', [['comment', ' open']]],
    ['SELECT $q$ open', [['dollar_string', ' open']]],
  ])('finds in %s what is not code', (sql, regions) => {
    expect(marked(sql)).toEqual(regions);
  });

  it('neither loses nor adds a character', () => {
    const fragments = fc.constantFrom("'", '"', '$$', '$t$', '--', '/*', '*/', 'E', '\\', '{{', '}}', '\n', 'a ');
    fc.assert(
      fc.property(fc.array(fragments), (pieces) => {
        const sql = pieces.join('');
        expect(
          splitRegions(sql)
            .map(({ text }) => text)
            .join(''),
        ).toBe(sql);
      }),
    );
  });
});
