import { DIGIT_0, MINUS } from '../../ascii.js';
import { isJsonNumber } from '../ndjson/json-value-check.js';
import { isExactDouble, NumberShape, SAFE_DIGITS, scanNumber } from '../values/number-shape.js';

const SHAPE = new NumberShape();
/** A string, or a number with its digits. */
const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
/** Between these, the engine prints a fraction without an exponent. */
const MIN_PLAIN = 1e-4;
const MAX_PLAIN = 1e15;

/** How the engine reads a number of JSON without a given type. */
export interface EngineNumber {
  /** Whether its text is the number as it is written. */
  readonly isSameText: boolean;
  /** Whether its text is the same number. */
  readonly isSameNumber: boolean;
  readonly significantDigits: number;
}

/**
 * How the engine reads a number of JSON as text. Whole numbers and those beyond a double keep their
 * digits, others go through a double.
 *
 * @returns nothing if it is no number of JSON.
 */
export function readNumber(bytes: Buffer, start: number, end: number): EngineNumber | undefined {
  if (!scanNumber(bytes, start, end, SHAPE) || !isJsonNumber(SHAPE)) return undefined;
  const { hasPoint, hasExponent, significantDigits } = SHAPE;
  if (!hasPoint && !hasExponent) {
    const isNegativeZero = significantDigits === 0 && bytes[start] === MINUS;
    return { isSameText: !isNegativeZero, isSameNumber: true, significantDigits };
  }
  if (!hasExponent && isPlainFraction(bytes, end, SHAPE))
    return { isSameText: true, isSameNumber: true, significantDigits };
  const text = bytes.toString('latin1', start, end);
  const double = Number(text);
  if (!Number.isFinite(double)) return { isSameText: true, isSameNumber: true, significantDigits };
  const isSameNumber = isExactDouble(text);
  return { isSameText: isSameNumber && text === plainText(double), isSameNumber, significantDigits };
}

/** Whether a fraction surely prints as it is written: few digits, and no zeros at its ends. */
function isPlainFraction(bytes: Buffer, end: number, { significantDigits, fractionDigits }: NumberShape): boolean {
  if (significantDigits > SAFE_DIGITS || significantDigits <= fractionDigits) return false;
  return bytes[end - 1] !== DIGIT_0 || fractionDigits === 1;
}

function plainText(double: number): string | undefined {
  const size = Math.abs(double);
  if (size !== 0 && (size < MIN_PLAIN || size >= MAX_PLAIN)) return undefined;
  return Number.isInteger(double) ? `${double}.0` : String(double);
}

/** The first number within a nested value of JSON that the engine would change, if there is one. */
export function findChangedNumber(json: string): string | undefined {
  for (const [token] of json.matchAll(STRINGS_AND_NUMBERS)) {
    if (token.startsWith('"') || !/[.eE]/.test(token)) continue;
    if (Number.isFinite(Number(token)) && !isExactDouble(token)) return token;
  }
  return undefined;
}

/** Whether a string within JSON contains a NUL character or half of a surrogate pair. */
export function hasBrokenText(json: string): boolean {
  if (!json.includes('\\u')) return false;
  const strings = [...json.matchAll(STRINGS_AND_NUMBERS)].map(([token]) => token).filter((token) => token[0] === '"');
  return strings
    .map((token) => JSON.parse(token) as string)
    .some((text) => text.includes('\0') || !text.isWellFormed());
}
