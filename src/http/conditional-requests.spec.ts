import { describe, expect, it } from '@jest/globals';
import { hasTag } from './conditional-requests.js';

describe('hasTag', () => {
  it.each([
    ['"a"', true],
    ['"b", "a"', true],
    ['W/"a"', true],
    ['"a-gzip"', true],
    ['*', true],
    ['"b"', false],
    ['"a-x"', false],
    ['a', false],
    ['', false],
    [undefined, false],
  ])('finds "a" in %s: %s', (ifNoneMatch, isFound) => {
    expect(hasTag(ifNoneMatch, '"a"')).toBe(isFound);
  });
});
