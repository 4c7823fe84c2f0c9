import { describe, expect, it } from '@jest/globals';
import { parseSortBy } from './parse-sort-by.js';
import { SortSyntaxError } from './read-plan.errors.js';

const KEYS: [text: string, keys: string[]][] = [
  ['size', ['size ASC']],
  ['size asc', ['size ASC']],
  ['size DESC', ['size DESC']],
  ['  size \t desc  ', ['size DESC']],
  ['a desc,b,c Asc', ['a DESC', 'b ASC', 'c ASC']],
  ['a desc , b', ['a DESC', 'b ASC']],
  ['"a b" desc', ['a b DESC']],
  ['"a, b"desc', ['a, b DESC']],
  ['"say ""hi""", "x\\"y"', ['say "hi" ASC', 'x"y ASC']],
  ['asc desc, desc', ['asc DESC', 'desc ASC']],
  ['größe, 価格 desc', ['größe ASC', '価格 DESC']],
];

const ERRORS: [text: string, offset: number, reason: string][] = [
  ['size up', 5, "expected asc, desc, a comma or the end of the text, got 'up'"],
  ['a desc b', 7, "expected a comma or the end of the text, got 'b'"],
  ['a,', 2, 'expected a column name, got the end of the text'],
  [',a', 0, "expected a column name, got ','"],
  ['a,,b', 2, "expected a column name, got ','"],
  ['1', 0, "expected a column name, got '1'"],
  ['lower(a)', 5, "got '(a)'"],
  ['a + 1', 2, "got '+'"],
  ['a.b', 1, "got '.b'"],
  ['a; DROP TABLE x', 1, "got ';'"],
  ['a desc NULLS FIRST', 7, 'NULLs always sort last, leave NULLS out'],
  ['a nulls last', 2, 'NULLs always sort last, leave NULLS out'],
  ['a, "b', 3, 'a column name in double quotes is not closed'],
  ['""', 0, 'a column name is empty'],
];

describe('parseSortBy', () => {
  it.each(KEYS)('reads %j', (text, keys) => {
    expect(parseSortBy(text).map(({ column, direction }) => `${column} ${direction}`)).toEqual(keys);
  });

  it.each(ERRORS)('rejects %j at offset %d', (text, offset, reason) => {
    expect(() => parseSortBy(text)).toThrow(
      expect.objectContaining({
        code: 'sort_syntax',
        offset,
        message: expect.stringMatching(new RegExp(`^sort_by: .*, at character ${offset + 1}$`)),
      }),
    );
    expect(() => parseSortBy(text)).toThrow(reason);
    expect(() => parseSortBy(text)).toThrow(SortSyntaxError);
  });
});
