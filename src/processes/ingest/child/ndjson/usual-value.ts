import { BACKSLASH, DIGIT_0, DIGIT_9, MINUS, PLAIN_IN_STRING, POINT, QUOTE, SHORT_ESCAPES } from '../../ascii.js';
import { isNegativeZero } from '../values/number-shape.js';
import type { SafeDigits, ValueRule } from '../values/value-rule.js';
import { FALSE, NULL, TRUE } from './json-line-scanner.js';

/**
 * Returns the offset after the value of a column that begins at `start`, or -1 if it is not written
 * in the usual way, which does not mean that it is wrong.
 */
export function endOfUsualValue(bytes: Buffer, start: number, { json, accepts, safe }: ValueRule): number {
  switch (json) {
    case 'text':
      return endOfText(bytes, start);
    case 'string':
      return endOfString(bytes, start, accepts);
    case 'boolean':
      return endOfLiteral(bytes, start, bytes[start] === TRUE[0] ? TRUE : FALSE);
    case 'number':
      return safe ? endOfAnyNumber(bytes, start, safe) : -1;
  }
}

/** The offset after `null`, or -1 if it does not stand at `start`. */
export function endOfNull(bytes: Buffer, start: number): number {
  return endOfLiteral(bytes, start, NULL);
}

/** The offset after a literal, or -1 if it does not stand at `start`. */
export function endOfLiteral(bytes: Buffer, start: number, literal: Buffer): number {
  const { length } = literal;
  if (start + length > bytes.length) return -1;
  for (let at = 0; at < length; at++) if (bytes[start + at] !== literal[at]) return -1;
  return start + length;
}

/** A string without escapes that the rule of the column accepts. */
function endOfString(bytes: Buffer, start: number, accepts: ValueRule['accepts']): number {
  if (bytes[start] !== QUOTE) return -1;
  const end = endOfPlain(bytes, start + 1);
  return bytes[end] === QUOTE && accepts(bytes, start + 1, end) ? end + 1 : -1;
}

/** A string whose escapes, if it has any, are of one character. */
function endOfText(bytes: Buffer, start: number): number {
  if (bytes[start] !== QUOTE) return -1;
  for (let at = start + 1; ; at += 2) {
    at = endOfPlain(bytes, at);
    if (bytes[at] === QUOTE) return at + 1;
    if (bytes[at] !== BACKSLASH || SHORT_ESCAPES[bytes[at + 1] as number] === 0) return -1;
  }
}

function endOfPlain(bytes: Buffer, start: number): number {
  let at = start;
  while (PLAIN_IN_STRING[bytes[at] as number] === 1) at++;
  return at;
}

/** A number, which may stand in quotes. */
function endOfAnyNumber(bytes: Buffer, start: number, safe: SafeDigits): number {
  if (bytes[start] !== QUOTE) return endOfNumber(bytes, start, safe);
  const end = endOfNumber(bytes, start + 1, safe);
  return end >= 0 && bytes[end] === QUOTE ? end + 1 : -1;
}

function endOfNumber(bytes: Buffer, start: number, safe: SafeDigits): number {
  const isNegative = bytes[start] === MINUS;
  if (isNegative && safe.isUnsigned) return -1;
  const integer = isNegative ? start + 1 : start;
  let at = endOfDigits(bytes, integer);
  let digits = at - integer;
  if (digits === 0 || (digits > 1 && bytes[integer] === DIGIT_0)) return -1;
  if (bytes[at] === POINT) {
    const fraction = at + 1;
    at = endOfDigits(bytes, fraction);
    if (at === fraction || at - fraction > safe.fractionDigits) return -1;
    digits += at - fraction;
  }
  if (digits > safe.digits || (isNegative && isNegativeZero(bytes, start, at))) return -1;
  return at;
}

function endOfDigits(bytes: Buffer, start: number): number {
  let at = start;
  while ((bytes[at] as number) >= DIGIT_0 && (bytes[at] as number) <= DIGIT_9) at++;
  return at;
}
