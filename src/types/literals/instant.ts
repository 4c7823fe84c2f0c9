import { calendarDay, daysFromEpoch, isCalendarDay } from './calendar.js';
import { countUnits } from './nearest-value.js';
import { formatTimeOfDay, NANOSECONDS, parseOffset, parseTimeOfDay } from './time-of-day.js';

const INSTANT = /^(\d{4,7})-(\d{2})-(\d{2})( \(BC\))?(?:[T ]([\d:.]+) ?(Z|UTC|[+-][\d:]+)?)?$/i;

/**
 * Nanoseconds from 1970-01-01 00:00 UTC of an ISO 8601 date, or date and time, with `T` or a space
 * between; nothing for any other text or a day that the calendar does not have. Without an offset
 * it is UTC. Takes what the service prints, too: `2024-01-31 10:20:30.123 UTC`, `0044-03-15 (BC)`.
 */
export function parseInstant(text: string): bigint | undefined {
  const [matched, year = '', month, day, bc, time = '00:00', offset = 'Z'] = INSTANT.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const date = { year: bc === undefined ? Number(year) : 1 - Number(year), month: Number(month), day: Number(day) };
  const sinceMidnight = parseTimeOfDay(time);
  const aheadOfUtc = parseOffset(offset);
  if (!isCalendarDay(date) || sinceMidnight === undefined || aheadOfUtc === undefined) return undefined;
  return BigInt(daysFromEpoch(date)) * NANOSECONDS.day + sinceMidnight - aheadOfUtc;
}

/** The date as the engine reads it. */
export function formatDate(days: bigint): string {
  const { year, month, day } = calendarDay(Number(days));
  const yearOfEra = String(year > 0 ? year : 1 - year).padStart(4, '0');
  const date = `${yearOfEra}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return year > 0 ? date : `${date} (BC)`;
}

/** The date and time as the engine reads it. */
export function formatInstant(nanoseconds: bigint, fractionDigits: number): string {
  const { floor: days } = countUnits(nanoseconds, NANOSECONDS.day);
  return `${formatDate(days)} ${formatTimeOfDay(nanoseconds - days * NANOSECONDS.day, fractionDigits)}`;
}
