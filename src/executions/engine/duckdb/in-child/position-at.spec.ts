import { describe, expect, it } from '@jest/globals';
import { positionAt } from './position-at.js';

describe('positionAt', () => {
  it.each([
    ['the start', 'SELECT 1', 0, { line: 1, column: 1 }],
    [
      'a character after some of several bytes',
      "SELECT 'ü🦆', x",
      Buffer.byteLength("SELECT 'ü🦆', "),
      { line: 1, column: 14 },
    ],
    ['a later line', 'SELECT\n  x', 9, { line: 2, column: 3 }],
    ['a line after CR LF', 'SELECT\r\nx', 8, { line: 2, column: 1 }],
    ['the end', 'ab', 2, { line: 1, column: 3 }],
  ])('finds %s', (_, text, byteOffset, position) => {
    expect(positionAt(text, byteOffset)).toEqual(position);
  });
});
