import { describe, expect, it } from '@jest/globals';
import { parseColumns } from './parse-columns.js';

const LISTS: [text: string, names: string[]][] = [
  ['a', ['a']],
  ['b,a', ['b', 'a']],
  [' a , b ', ['a', 'b']],
  ['"a, b",c', ['a, b', 'c']],
  ['"say ""hi""", "x\\"y"', ['say "hi"', 'x"y']],
  ['" a "', [' a ']],
  ['my column,count(*),a.b-c,🎉', ['my column', 'count(*)', 'a.b-c', '🎉']],
  ['C:\\', ['C:\\']],
];

const ERRORS: [text: string, offset: number, reason: string][] = [
  [',', 0, 'expected a column name'],
  ['a,', 2, 'expected a column name'],
  ['a,,b', 2, 'expected a column name'],
  ['a, ,b', 3, 'expected a column name'],
  ['"a', 0, 'a column name in double quotes is not closed'],
  ['a,""', 2, 'a column name is empty'],
  ['"a"b', 3, 'expected a comma or the end of the text'],
  ['a"b"', 1, 'expected a comma or the end of the text'],
];

describe('parseColumns', () => {
  it.each(LISTS)('reads %j', (text, names) => {
    expect(parseColumns(text)).toEqual(names);
  });

  it.each(ERRORS)('rejects %j at offset %d', (text, offset, reason) => {
    expect(() => parseColumns(text)).toThrow(
      expect.objectContaining({
        code: 'columns_syntax',
        offset,
        message: `columns: ${reason}, at character ${offset + 1}`,
      }),
    );
  });
});
