import { describe, expect, it } from '@jest/globals';
import { toSearchPatterns, toSearchText } from './search-text.js';

describe('toSearchText', () => {
  it('has no case, and one form of each accented character', () => {
    expect(toSearchText('Größe ÄRA', 'e\u0301')).toBe('größe ära\n\u00e9');
  });
});

describe('toSearchPatterns', () => {
  it.each([
    ['Busy  airports\t', ['%busy%', '%airports%']],
    ['100%_\\', ['%100\\%\\_\\\\%']],
    [' ', []],
    ['', []],
  ])('makes of %j a pattern for each word', (search, patterns) => {
    expect(toSearchPatterns(search)).toEqual(patterns);
  });
});
