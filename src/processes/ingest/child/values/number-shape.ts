import { CAPITAL_E, DIGIT_0, DIGIT_9, MINUS, PLUS, POINT, SMALL_E } from '../../ascii.js';

/** Any decimal number of so few significant digits prints the same after it was a double. */
export const SAFE_DIGITS = 15;

/** How a number is written. One object serves many numbers. */
export class NumberShape {
  isNegative = false;
  /** Digits before the point; 0 for `.5`. */
  integerDigits = 0;
  /** Digits after the point. */
  fractionDigits = 0;
  /** From the first digit that is not 0 to the last one written. */
  significantDigits = 0;
  hasPoint = false;
  hasExponent = false;
  /** `+5` or `007`: a number if one is expected, but also a text of digits. */
  isPadded = false;
}

/**
 * Reads a decimal number such as `-12.50e3`, `.5` or `007` into `shape`.
 *
 * @returns whether the text is one.
 */
export function scanNumber(bytes: Uint8Array, start: number, end: number, shape: NumberShape): boolean {
  let at = start;
  shape.isNegative = bytes[at] === MINUS;
  shape.isPadded = bytes[at] === PLUS;
  if (shape.isNegative || shape.isPadded) at++;
  const integerStart = at;
  let firstSignificant = -1;
  while (at < end && isDigit(bytes[at] as number)) {
    if (firstSignificant < 0 && bytes[at] !== DIGIT_0) firstSignificant = at;
    at++;
  }
  const integerDigits = at - integerStart;
  if (integerDigits > 1 && bytes[integerStart] === DIGIT_0) shape.isPadded = true;
  shape.significantDigits = firstSignificant < 0 ? 0 : at - firstSignificant;
  shape.integerDigits = integerDigits;
  shape.hasPoint = bytes[at] === POINT && at < end;
  shape.fractionDigits = 0;
  if (shape.hasPoint) at = scanFraction(bytes, at + 1, end, shape);
  if (integerDigits + shape.fractionDigits === 0) return false;
  shape.hasExponent = at < end && (bytes[at] === SMALL_E || bytes[at] === CAPITAL_E);
  return shape.hasExponent ? isExponent(bytes, at + 1, end) : at === end;
}

function scanFraction(bytes: Uint8Array, start: number, end: number, shape: NumberShape): number {
  let at = start;
  while (at < end && isDigit(bytes[at] as number)) {
    if (shape.significantDigits > 0 || bytes[at] !== DIGIT_0) shape.significantDigits++;
    at++;
  }
  shape.fractionDigits = at - start;
  return at;
}

function isExponent(bytes: Uint8Array, start: number, end: number): boolean {
  const from = bytes[start] === PLUS || bytes[start] === MINUS ? start + 1 : start;
  for (let at = from; at < end; at++) if (!isDigit(bytes[at] as number)) return false;
  return from < end;
}

function isDigit(byte: number): boolean {
  return byte >= DIGIT_0 && byte <= DIGIT_9;
}

/** Whether a number is -0, which only a double distinguishes from 0. */
export function isNegativeZero(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start + 1];
  if (bytes[start] !== MINUS || (first !== DIGIT_0 && first !== POINT)) return false;
  return Object.is(Number(bytes.toString('latin1', start, end)), -0);
}

const NON_FINITE: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity']);

/** Whether a text is a double that is no number, as this service prints it. */
export function isNonFinite(bytes: Buffer, start: number, end: number): boolean {
  const length = end - start;
  return (length === 3 || length === 8 || length === 9) && NON_FINITE.has(bytes.toString('latin1', start, end));
}

/** The largest 64-bit integer, and how far the smallest lies from 0. */
const MAX_INT64 = Buffer.from('9223372036854775807');
const MIN_INT64 = Buffer.from('9223372036854775808');

/** Whether an integer without padding fits 64 bits. */
export function isInt64(bytes: Buffer, end: number, { isNegative, integerDigits }: NumberShape): boolean {
  if (integerDigits !== MAX_INT64.length) return integerDigits < MAX_INT64.length;
  return bytes.compare(isNegative ? MIN_INT64 : MAX_INT64, 0, MAX_INT64.length, end - integerDigits, end) <= 0;
}

/** Whether the double that is nearest to a number prints as the same number. */
export function isExactDouble(text: string): boolean {
  const double = Number(text);
  const printed = String(double);
  return printed === text || (Number.isFinite(double) && normalForm(printed) === normalForm(text));
}

/** A number's digits without zeros around them, and the power of ten of the last one. */
function normalForm(text: string): string {
  const match = /^(-?)\+?(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) return text;
  const [, sign = '', integer = '', fraction = '', exponent = '0'] = match;
  const digits = (integer + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  return `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}
