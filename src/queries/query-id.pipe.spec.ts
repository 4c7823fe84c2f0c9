import { describe, expect, it } from '@jest/globals';
import { ParseQueryId } from './query-id.pipe.js';

describe('ParseQueryId', () => {
  it.each([
    ['1', 1],
    ['9007199254740991', 9007199254740991],
  ])('takes %s', (text, id) => {
    expect(new ParseQueryId().transform(text)).toBe(id);
  });

  it.each(['0', '-1', '1.5', '1e3', '01', ' 1', 'abc', '', '9007199254740992'])('refuses %j', (text) => {
    expect(() => new ParseQueryId().transform(text)).toThrow(`The requested query ID (ID: ${text}) is invalid.`);
  });
});
