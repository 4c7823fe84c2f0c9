/** What a text is as a date or time: nothing, `2024-02-29`, that with a time of day, or that with a time zone, too. */
export const NO_INSTANT = 0;
export const DATE = 1;
export const TIMESTAMP = 2;
export const ZONED_TIMESTAMP = 3;

const [DASH, COLON, DOT, SPACE, LETTER_T, LETTER_Z, PLUS, ZERO] = Buffer.from('-:. TZ+0') as unknown as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];
const DATE_LENGTH = 10;
const UTC = Buffer.from(' UTC');

/** The engine keeps microseconds. */
const MAX_FRACTION_DIGITS = 6;

/**
 * Reads a date or time in ISO 8601: `2024-02-29`, with `T` or a space before `HH:MM[:SS[.ffffff]]`, and behind seconds a zone: `Z`,
 * ` UTC`, `+01:00`, `+0100` or `+01`. Forms whose order of day and month is anybody's guess are none.
 */
export function scanInstant(bytes: Buffer, start: number, end: number): number {
  if (end - start < DATE_LENGTH || !isDate(bytes, start)) return NO_INSTANT;
  let at = start + DATE_LENGTH;
  if (at === end) return DATE;
  if (bytes[at] !== LETTER_T && bytes[at] !== SPACE) return NO_INSTANT;
  if (!isClock(bytes, at + 1, end)) return NO_INSTANT;
  at += 6;
  if (at === end) return TIMESTAMP;
  if (bytes[at] !== COLON || twoDigits(bytes, at + 1, end) > 59) return NO_INSTANT;
  at = endOfFraction(bytes, at + 3, end);
  if (at === end) return TIMESTAMP;
  return isZone(bytes, at, end) ? ZONED_TIMESTAMP : NO_INSTANT;
}

/** Whether a text that {@link scanInstant} took for a zoned time is one in UTC. */
export function isInUtc(bytes: Buffer, end: number): boolean {
  if (bytes[end - 1] === LETTER_Z || bytes[end - 1] === UTC[UTC.length - 1]) return true;
  for (let at = end - 1; bytes[at] !== PLUS && bytes[at] !== DASH; at--)
    if (bytes[at] !== ZERO && bytes[at] !== COLON) return false;
  return true;
}

function isDate(bytes: Buffer, at: number): boolean {
  if (bytes[at + 4] !== DASH || bytes[at + 7] !== DASH) return false;
  const year = twoDigits(bytes, at, at + 4) * 100 + twoDigits(bytes, at + 2, at + 4);
  const month = twoDigits(bytes, at + 5, at + 7);
  const day = twoDigits(bytes, at + 8, at + 10);
  return year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(month, year);
}

function daysOf(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** `HH:MM` */
function isClock(bytes: Buffer, at: number, end: number): boolean {
  return twoDigits(bytes, at, end) <= 23 && bytes[at + 2] === COLON && twoDigits(bytes, at + 3, end) <= 59;
}

/** The number that two digits make, or one that is too large for anything. */
function twoDigits(bytes: Buffer, at: number, end: number): number {
  if (at + 2 > end) return Number.MAX_SAFE_INTEGER;
  const tens = (bytes[at] as number) - ZERO;
  const ones = (bytes[at + 1] as number) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.MAX_SAFE_INTEGER;
}

/** The place behind a fraction of a second, if there is one; the start again if it is longer than the engine's. */
function endOfFraction(bytes: Buffer, start: number, end: number): number {
  if (start >= end || bytes[start] !== DOT) return start;
  let at = start + 1;
  while (at < end && (bytes[at] as number) >= ZERO && (bytes[at] as number) <= ZERO + 9) at++;
  const digits = at - start - 1;
  return digits >= 1 && digits <= MAX_FRACTION_DIGITS ? at : start;
}

function isZone(bytes: Buffer, at: number, end: number): boolean {
  const length = end - at;
  if (length === 1) return bytes[at] === LETTER_Z;
  if (length === UTC.length && bytes[at] === SPACE) return bytes.compare(UTC, 0, UTC.length, at, end) === 0;
  if (bytes[at] !== PLUS && bytes[at] !== DASH) return false;
  if (twoDigits(bytes, at + 1, end) > 14) return false;
  if (length === 3) return true;
  const minutesAt = bytes[at + 3] === COLON ? at + 4 : at + 3;
  return minutesAt + 2 === end && twoDigits(bytes, minutesAt, end) <= 59;
}
