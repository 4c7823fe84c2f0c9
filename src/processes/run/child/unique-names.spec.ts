import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { uniqueNames } from './unique-names.js';

describe('uniqueNames', () => {
  it.each([
    [
      ['id', 'name'],
      ['id', 'name'],
    ],
    [
      ['id', 'ID', 'id'],
      ['id', 'ID_1', 'id_2'],
    ],
    [
      ['a', 'a_1', 'a'],
      ['a', 'a_1', 'a_2'],
    ],
    [
      ['a', 'a', 'a_1'],
      ['a', 'a_1', 'a_1_1'],
    ],
    [
      ['', 'column_3', ''],
      ['column_1', 'column_3', 'column_3_1'],
    ],
    [
      ['x'.repeat(300), 'x'.repeat(300)],
      ['x'.repeat(200), `${'x'.repeat(198)}_1`],
    ],
    [['🦆'.repeat(300)], ['🦆'.repeat(200)]],
  ])('turns %j into %j', (names, expected) => {
    expect(uniqueNames(names)).toEqual(expected);
  });

  it('gives names that are neither empty nor equal without regard to case, whatever it is given', () => {
    const name = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('', 'a', 'A', 'a_1', 'column_1'));
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const unique = uniqueNames(names);
        expect(unique).toHaveLength(names.length);
        expect(unique.every((each) => each.length > 0)).toBe(true);
        expect(new Set(unique.map((each) => each.toLowerCase())).size).toBe(names.length);
      }),
    );
  });
});
