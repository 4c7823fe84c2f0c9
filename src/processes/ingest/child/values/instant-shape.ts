import { CAPITAL_T, CAPITAL_Z, COLON, DIGIT_0, DIGIT_9, MINUS, PLUS, POINT, SPACE } from '../../ascii.js';

/** Kinds of texts: none, `2024-02-29`, with a time of day, with a time zone too. */
export const NO_INSTANT = 0;
export const DATE = 1;
export const TIMESTAMP = 2;
export const ZONED_TIMESTAMP = 3;

const UTC = Buffer.from(' UTC');
const FIRST_DAY = Buffer.from('0001-01-01');
const LAST_DAY = Buffer.from('9999-12-31');
const MINUTES_OF_DAY = 24 * 60;

/** `2024-02-29`, with ` 13:45`, and with `:59` after. */
export const DATE_LENGTH = 10;
export const CLOCK_LENGTH = 16;
export const SECONDS_LENGTH = 19;

/** The engine keeps microseconds. */
const MAX_FRACTION_DIGITS = 6;

/**
 * Reads a date or time in ISO 8601: `2024-02-29`, with `T` or a space before `HH:MM[:SS[.ffffff]]`,
 * and after seconds a zone: `Z`, ` UTC`, `+01:00`, `+0100` or `+01`. Those whose order of day and
 * month is uncertain are none.
 */
export function scanInstant(bytes: Buffer, start: number, end: number): number {
  const length = end - start;
  if (length < DATE_LENGTH || !isDate(bytes, start)) return NO_INSTANT;
  if (length === DATE_LENGTH) return DATE;
  if (length < CLOCK_LENGTH || !isClock(bytes, start + DATE_LENGTH)) return NO_INSTANT;
  if (length === CLOCK_LENGTH) return TIMESTAMP;
  if (length < SECONDS_LENGTH || !isSeconds(bytes, start + CLOCK_LENGTH)) return NO_INSTANT;
  const at = endOfFraction(bytes, start + SECONDS_LENGTH, end);
  if (at === end) return TIMESTAMP;
  return isZone(bytes, at, end) && staysInYears(bytes, start, at, end) ? ZONED_TIMESTAMP : NO_INSTANT;
}

/** Whether a zoned time is one of the years 1 to 9999 in UTC, too. */
function staysInYears(bytes: Buffer, start: number, zoneAt: number, end: number): boolean {
  const sign = bytes[zoneAt];
  if (sign !== PLUS && sign !== MINUS) return true;
  const edge = sign === PLUS ? FIRST_DAY : LAST_DAY;
  if (bytes.compare(edge, 0, DATE_LENGTH, start, start + DATE_LENGTH) !== 0) return true;
  const time = 60 * twoDigits(bytes, start + DATE_LENGTH + 1) + twoDigits(bytes, start + DATE_LENGTH + 4);
  const offset = 60 * twoDigits(bytes, zoneAt + 1) + (end - zoneAt > 3 ? twoDigits(bytes, end - 2) : 0);
  return sign === PLUS ? time >= offset : time + offset < MINUTES_OF_DAY;
}

/** Whether a text that {@link scanInstant} took for a zoned time is one in UTC. */
export function isInUtc(bytes: Buffer, end: number): boolean {
  if (bytes[end - 1] === CAPITAL_Z || bytes[end - 1] === UTC[UTC.length - 1]) return true;
  for (let at = end - 1; bytes[at] !== PLUS && bytes[at] !== MINUS; at--)
    if (bytes[at] !== DIGIT_0 && bytes[at] !== COLON) return false;
  return true;
}

/** Whether a date such as `2024-02-29` stands at an offset. */
export function isDate(bytes: Buffer, at: number): boolean {
  if (bytes[at + 4] !== MINUS || bytes[at + 7] !== MINUS) return false;
  const century = twoDigits(bytes, at);
  const yearOfCentury = twoDigits(bytes, at + 2);
  const month = twoDigits(bytes, at + 5);
  const day = twoDigits(bytes, at + 8);
  if (century > 99 || yearOfCentury > 99 || month < 1 || month > 12 || day < 1) return false;
  const year = 100 * century + yearOfCentury;
  return year > 0 && (day <= 28 || day <= daysOf(month, year));
}

function daysOf(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Whether `THH:MM` or ` HH:MM` stands at an offset. */
export function isClock(bytes: Buffer, at: number): boolean {
  const isSeparated = bytes[at] === CAPITAL_T || bytes[at] === SPACE;
  return isSeparated && twoDigits(bytes, at + 1) <= 23 && bytes[at + 3] === COLON && twoDigits(bytes, at + 4) <= 59;
}

/** Whether `:SS` stands at an offset. */
export function isSeconds(bytes: Buffer, at: number): boolean {
  return bytes[at] === COLON && twoDigits(bytes, at + 1) <= 59;
}

/** The number that two digits make; 100 if they are not digits. */
function twoDigits(bytes: Buffer, at: number): number {
  const tens = (bytes[at] as number) - DIGIT_0;
  const ones = (bytes[at + 1] as number) - DIGIT_0;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : 100;
}

/**
 * The offset after a fraction of a second, if there is one that the engine keeps; else the start.
 */
function endOfFraction(bytes: Buffer, start: number, end: number): number {
  if (start >= end || bytes[start] !== POINT) return start;
  let at = start + 1;
  while (at < end && (bytes[at] as number) >= DIGIT_0 && (bytes[at] as number) <= DIGIT_9) at++;
  const digits = at - start - 1;
  return digits >= 1 && digits <= MAX_FRACTION_DIGITS ? at : start;
}

function isZone(bytes: Buffer, at: number, end: number): boolean {
  const length = end - at;
  if (length === 1) return bytes[at] === CAPITAL_Z;
  if (length === UTC.length && bytes[at] === SPACE) return bytes.compare(UTC, 0, UTC.length, at, end) === 0;
  if (length < 3 || (bytes[at] !== PLUS && bytes[at] !== MINUS)) return false;
  if (twoDigits(bytes, at + 1) > 14) return false;
  if (length === 3) return true;
  const minutesAt = bytes[at + 3] === COLON ? at + 4 : at + 3;
  return minutesAt + 2 === end && twoDigits(bytes, minutesAt) <= 59;
}
