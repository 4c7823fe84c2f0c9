import { describe, expect, it } from '@jest/globals';
import { toDatetimeText, toInstantKey } from './datetime.js';

describe('toDatetimeText', () => {
  it.each([
    ['2001-03-01', '2001-03-01 00:00:00'],
    [' 2001-03-01 ', '2001-03-01 00:00:00'],
    ['2001-03-01 10:20', '2001-03-01 10:20:00'],
    ['2001-03-01T10:20:30.999Z', '2001-03-01 10:20:30'],
    ['2001-03-01 10:20:30 UTC', '2001-03-01 10:20:30'],
    ['2001-03-01 00:20:30+02:00', '2001-02-28 22:20:30'],
    ['2001-03-01 10:20:30-0130', '2001-03-01 11:50:30'],
    ['2001-03-01 10:20:30 +02', '2001-03-01 08:20:30'],
    ['0044-03-15', '0044-03-15 00:00:00'],
  ])('writes %j as %j', (text, written) => {
    expect(toDatetimeText(text)).toBe(written);
  });

  it.each(['9999-12-31 23:30:00-02:00', '2001-03-01 10:20:30+99:99', 'tomorrow', ''])('leaves %j alone', (text) => {
    expect(toDatetimeText(text)).toBe(text);
  });
});

describe('toInstantKey', () => {
  it('is one for all notations of an instant, to the last digit', () => {
    const keys = ['2001-03-01', '2001-03-01 00:00:00.000', '2001-03-01T01:00Z', '2001-03-01 02:00+01'].map(
      toInstantKey,
    );
    expect([keys[0] === keys[1], keys[2] === keys[3], keys[0] === keys[2]]).toEqual([true, true, false]);
    expect(toInstantKey('2001-03-01 00:00:00.000000001')).not.toBe(keys[0]);
  });
});
