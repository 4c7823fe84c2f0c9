/** A day of the proleptic Gregorian calendar. Year 0 is 1 BC. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The calendar repeats after so many years: JavaScript's own dates do not reach far enough. */
const YEARS_PER_CYCLE = 400;
const DAYS_PER_CYCLE = 146_097;
const MS_PER_DAY = 86_400_000;

/** Whether the calendar has such a day. */
export function isCalendarDay(day: CalendarDay): boolean {
  const found = calendarDay(daysFromEpoch(day));
  return found.month === day.month && found.day === day.day;
}

/** Days from 1970-01-01. */
export function daysFromEpoch({ year, month, day }: CalendarDay): number {
  const cycles = Math.floor(year / YEARS_PER_CYCLE) - 5;
  const inCycle = Date.UTC(year - cycles * YEARS_PER_CYCLE, month - 1, day) / MS_PER_DAY;
  return inCycle + cycles * DAYS_PER_CYCLE;
}

/** The inverse of {@link daysFromEpoch}. */
export function calendarDay(days: number): CalendarDay {
  const cycles = Math.floor(days / DAYS_PER_CYCLE);
  const date = new Date((days - cycles * DAYS_PER_CYCLE) * MS_PER_DAY);
  const year = date.getUTCFullYear() + cycles * YEARS_PER_CYCLE;
  return { year, month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
