import { describe, expect, it } from '@jest/globals';
import { isCronLine } from './cron-line.js';

describe('isCronLine', () => {
  it.each([
    '17 * * * *',
    '*/5 * * * *',
    '0-30/10,45 0,12 1,15 */3 1-5',
    '0 0 * JAN-mar Mon,fri',
    '  0   0 29 2 7  ',
    '0 0 31 2,3 *',
    '59 23 31 12 0',
  ])('takes %j', (line) => {
    expect(isCronLine(line)).toBe(true);
  });

  it.each([
    { line: '99 * * * *', reason: 'no such minute' },
    { line: '0 24 * * *', reason: 'no such hour' },
    { line: '0 0 0 * *', reason: 'no such day' },
    { line: '0 0 * 13 *', reason: 'no such month' },
    { line: '0 0 * * 8', reason: 'no such day of the week' },
    { line: '0 0 mon * *', reason: 'a name in the wrong field' },
    { line: '0 0 * * monday', reason: 'no such name' },
    { line: '0 0 30 2 *', reason: 'a date that never comes' },
    { line: '0 0 31 4,6,9,11 *', reason: 'dates that never come' },
    { line: '*/0 * * * *', reason: 'a step of nothing' },
    { line: '*/99 * * * *', reason: 'a step past the end' },
    { line: '5/10 * * * *', reason: 'a step of one value' },
    { line: '5-1 * * * *', reason: 'a range backwards' },
    { line: '1-2-3 * * * *', reason: 'a range of three' },
    { line: '*/2/3 * * * *', reason: 'two steps' },
    { line: '1,,2 * * * *', reason: 'a value that is missing' },
    { line: '-1 * * * *', reason: 'a sign' },
    { line: '1.5 * * * *', reason: 'a fraction' },
    { line: '* * * *', reason: 'four fields' },
    { line: '* * * * * *', reason: 'six fields' },
    { line: '', reason: 'nothing' },
    { line: '@daily', reason: 'a word' },
  ])('refuses $line: $reason', ({ line }) => {
    expect(isCronLine(line)).toBe(false);
  });
});
