import type { TableColumn } from '../../../../types/table-column.js';
import { recordOf } from '../../../../types/type-of.js';
import type { UploadRule } from '../../../../types/type-record.js';
import { toWireTypeName } from '../../../../types/wire-type-name.js';
import { DATE, isInUtc, NO_INSTANT, scanInstant, ZONED_TIMESTAMP } from './instant-shape.js';
import { isNonFinite, NumberShape, SAFE_DIGITS, scanNumber } from './number-shape.js';

/**
 * How JSON writes the values of a column: `text` is any string. Numbers may also be written as
 * strings, which is how JavaScript writes long ones.
 */
export type JsonType = 'text' | 'string' | 'number' | 'boolean';

/** Any number of so many digits, and so many of them after the point, is a value of the column. */
export interface SafeDigits {
  readonly digits: number;
  readonly fractionDigits: number;
  /** Whether that holds for numbers without a sign only. */
  readonly isUnsigned?: boolean;
}

/** What the values of a column must look like, so that the engine reads each of them exactly. */
export interface ValueRule {
  readonly json: JsonType;
  /** What is expected, to go on "takes …". */
  readonly expected: string;
  /** Whether a text is a value of the column. */
  readonly accepts: (bytes: Buffer, start: number, end: number) => boolean;
  /** Whether JSON numbers are read as doubles, so that long ones must be strings. */
  readonly readsJsonAsDouble?: boolean;
  /** Of numbers only. */
  readonly safe?: SafeDigits;
  /** Whether -0 is another value than 0. */
  readonly hasNegativeZero?: boolean;
}

const SHAPE = new NumberShape();

/** A number of so few digits before and after the point is no infinite double, and no 0. */
const SAFE_DOUBLE_DIGITS = 300;

const MAX_UINT256 = 2n ** 256n - 1n;

const RULES: Readonly<Record<Exclude<UploadRule, 'decimal'>, ValueRule>> = {
  text: { json: 'text', expected: 'text', accepts: () => true },
  bytes: { json: 'string', expected: 'bytes like 0x00ff, with two hex digits each', accepts: isHex },
  boolean: { json: 'boolean', expected: 'true or false', accepts: isAnyCaseBoolean },
  int32: integerRule(-(2n ** 31n), 2n ** 31n - 1n),
  int64: integerRule(-(2n ** 63n), 2n ** 63n - 1n),
  int256: integerRule(-(2n ** 255n), 2n ** 255n - 1n),
  double: {
    json: 'number',
    expected: 'a number that a double can hold',
    accepts: isDouble,
    safe: { digits: SAFE_DOUBLE_DIGITS, fractionDigits: SAFE_DOUBLE_DIGITS },
    hasNegativeZero: true,
  },
  date: { json: 'string', expected: 'a date like 2024-02-29', accepts: isDate },
  timestamp: {
    json: 'string',
    expected: 'a time in UTC like 2024-02-29 13:45:59.123456 or 2024-02-29T13:45:59Z',
    accepts: isTimestamp,
  },
  timestamptz: {
    json: 'string',
    expected: 'a time like 2024-02-29T13:45:59.123456+01:00',
    accepts: (bytes, start, end) => scanInstant(bytes, start, end) !== NO_INSTANT,
  },
};

/**
 * The rule for the values of a column. @throws {Error} for types that no upload makes a column of.
 */
export function valueRule({ type, wideInteger }: TableColumn): ValueRule {
  if (wideInteger === 'uint256') return integerRule(0n, MAX_UINT256);
  if (type.kind === 'decimal') return decimalRule(type.precision, type.scale);
  const upload = recordOf(type).upload;
  if (!upload || upload.rule === 'decimal')
    throw new Error(`No rows can be inserted into a column of type ${toWireTypeName(type)}`);
  return RULES[upload.rule];
}

function integerRule(min: bigint, max: bigint): ValueRule {
  const safeDigits = String(max).length - 1;
  return {
    json: 'number',
    expected: `a whole number from ${min} to ${max}`,
    safe: { digits: safeDigits, fractionDigits: 0, isUnsigned: min >= 0n },
    accepts: (bytes, start, end) => {
      if (!scanNumber(bytes, start, end, SHAPE) || SHAPE.hasPoint || SHAPE.hasExponent) return false;
      if (SHAPE.significantDigits <= safeDigits && (min < 0n || !SHAPE.isNegative)) return true;
      if (SHAPE.significantDigits > safeDigits + 1) return false;
      const value = toBigInt(bytes.toString('latin1', start, end));
      return value >= min && value <= max;
    },
  };
}

function toBigInt(text: string): bigint {
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text.replace('+', ''));
}

function decimalRule(precision: number, scale: number): ValueRule {
  const integerDigits = precision - scale;
  return {
    json: 'number',
    expected: `a decimal number of at most ${integerDigits} digits before the point and ${scale} after it`,
    readsJsonAsDouble: scale > 0,
    safe: { digits: scale > 0 ? Math.min(integerDigits, SAFE_DIGITS) : precision, fractionDigits: scale },
    accepts: (bytes, start, end) => {
      if (!scanNumber(bytes, start, end, SHAPE) || SHAPE.hasExponent) return false;
      const before = Math.max(0, Math.min(SHAPE.significantDigits - SHAPE.fractionDigits, SHAPE.integerDigits));
      return before <= integerDigits && SHAPE.fractionDigits <= scale;
    },
  };
}

function isDouble(bytes: Buffer, start: number, end: number): boolean {
  if (!scanNumber(bytes, start, end, SHAPE)) return isNonFinite(bytes, start, end);
  if (!SHAPE.hasExponent && SHAPE.integerDigits <= SAFE_DOUBLE_DIGITS && SHAPE.fractionDigits <= SAFE_DOUBLE_DIGITS)
    return true;
  const double = Number(bytes.toString('latin1', start, end));
  return Number.isFinite(double) && (double !== 0 || SHAPE.significantDigits === 0);
}

function isDate(bytes: Buffer, start: number, end: number): boolean {
  return scanInstant(bytes, start, end) === DATE;
}

/** The engine would drop a zone other than UTC without a word. */
function isTimestamp(bytes: Buffer, start: number, end: number): boolean {
  const kind = scanInstant(bytes, start, end);
  return kind !== NO_INSTANT && (kind !== ZONED_TIMESTAMP || isInUtc(bytes, end));
}

function isAnyCaseBoolean(bytes: Buffer, start: number, end: number): boolean {
  if (end - start !== 4 && end - start !== 5) return false;
  const text = bytes.toString('latin1', start, end).toLowerCase();
  return text === 'true' || text === 'false';
}

function isHex(bytes: Buffer, start: number, end: number): boolean {
  if ((end - start) % 2 !== 0) return false;
  return /^0x[0-9a-fA-F]*$/.test(bytes.toString('latin1', start, end));
}
