import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { calendarDay, daysFromEpoch, isCalendarDay } from './calendar.js';

const MS_PER_DAY = 86_400_000;
/** As far as a JavaScript date reaches. */
const MAX_DAYS = 100_000_000;

describe('calendar', () => {
  it('counts days as JavaScript does', () => {
    fc.assert(
      fc.property(fc.integer({ min: -MAX_DAYS, max: MAX_DAYS }), (days) => {
        const date = new Date(days * MS_PER_DAY);
        const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
        expect(calendarDay(days)).toEqual(day);
        expect(daysFromEpoch(day)).toBe(days);
        expect(isCalendarDay(day)).toBe(true);
      }),
    );
  });

  it.each([
    [2000, 2, 29, true],
    [1900, 2, 29, false],
    [2023, 2, 29, false],
    [2024, 4, 31, false],
    [2024, 12, 31, true],
    [2024, 13, 1, false],
    [2024, 0, 1, false],
    [2024, 1, 0, false],
    [0, 2, 29, true],
  ])('knows of %d-%d-%d whether it exists: %s', (year, month, day, exists) => {
    expect(isCalendarDay({ year, month, day })).toBe(exists);
  });
});
