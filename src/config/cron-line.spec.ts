import { describe, expect, it } from '@jest/globals';
import { isCronLine } from './cron-line.js';

describe('isCronLine', () => {
  it.each(['17 * * * *', '0-30/10,45 0,12 1,15 */3 1-5', '0 0 * JAN-mar Mon,friday', '  0   0 29 2 7  ', '0 0 L * *'])(
    'accepts %j',
    (line) => {
      expect(isCronLine(line)).toBe(true);
    },
  );

  it.each([
    { line: '99 * * * *', reason: 'no such minute' },
    { line: '0 0 mon * *', reason: 'a name in the wrong field' },
    { line: '0 0 30 2 *', reason: 'a date that never comes' },
    { line: '*/0 * * * *', reason: 'a step of zero' },
    { line: '1,,2 * * * *', reason: 'a value that is missing' },
    { line: '* * * *', reason: 'four fields' },
    { line: '* * * * * *', reason: 'six fields' },
    { line: '', reason: 'empty' },
    { line: '@daily', reason: 'a word' },
  ])('refuses $line: $reason', ({ line }) => {
    expect(isCronLine(line)).toBe(false);
  });
});
