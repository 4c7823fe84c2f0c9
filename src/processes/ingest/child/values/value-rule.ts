import type { LogicalType, ScalarName } from '../../../../types/column.js';
import type { TableColumn } from '../../../../types/table-column.js';
import { toWireTypeName } from '../../../../types/wire-type-name.js';
import { DATE, isInUtc, NO_INSTANT, scanInstant, ZONED_TIMESTAMP } from './instant-shape.js';
import { NumberShape, scanNumber } from './number-shape.js';
import { isNonFinite } from './words.js';

/** How JSON writes the values of a column. Numbers may also be written as strings, which is how JavaScript writes long ones. */
export type JsonForm = 'string' | 'number' | 'boolean';

/** What the values of a column must look like, so that the engine reads each of them exactly. */
export interface ValueRule {
  readonly json: JsonForm;
  /** What is expected, to go on "takes …". */
  readonly expected: string;
  /** Whether a text is a value of the column. */
  readonly accepts: (bytes: Buffer, start: number, end: number) => boolean;
  /** Whether JSON numbers are read by way of doubles, so that long ones must be strings to keep their digits. */
  readonly readsJsonAsDouble?: boolean;
}

const SHAPE = new NumberShape();

/** With so many digits before and behind the point, and no exponent, a number is neither infinite to a double nor 0. */
const SAFE_DOUBLE_DIGITS = 300;

const MAX_UINT256 = 2n ** 256n - 1n;
const MAX_INT256 = 2n ** 255n - 1n;

const SCALAR_RULES: Partial<Record<ScalarName, ValueRule>> = {
  VARCHAR: { json: 'string', expected: 'text', accepts: () => true },
  BLOB: { json: 'string', expected: 'bytes like 0x00ff, with two hex digits each', accepts: isHex },
  BOOLEAN: { json: 'boolean', expected: 'true or false', accepts: isAnyCaseBoolean },
  INTEGER: integerRule(-(2n ** 31n), 2n ** 31n - 1n),
  BIGINT: integerRule(-(2n ** 63n), 2n ** 63n - 1n),
  DOUBLE: { json: 'number', expected: 'a number that a double can hold', accepts: isDouble },
  DATE: { json: 'string', expected: 'a date like 2024-02-29', accepts: isDate },
  TIMESTAMP: {
    json: 'string',
    expected: 'a time in UTC like 2024-02-29 13:45:59.123456 or 2024-02-29T13:45:59Z',
    accepts: isTimestamp,
  },
  TIMESTAMPTZ: {
    json: 'string',
    expected: 'a time like 2024-02-29T13:45:59.123456+01:00',
    accepts: (bytes, start, end) => scanInstant(bytes, start, end) !== NO_INSTANT,
  },
};

/**
 * The rule for the values of a column.
 *
 * @throws Error for types that no upload makes a column of.
 */
export function valueRule({ type, wideInteger }: TableColumn): ValueRule {
  if (wideInteger === 'uint256') return integerRule(0n, MAX_UINT256);
  if (wideInteger === 'int256') return integerRule(-MAX_INT256 - 1n, MAX_INT256);
  const rule = type.kind === 'decimal' ? decimalRule(type.precision, type.scale) : scalarRule(type);
  if (!rule) throw new Error(`No rows can be inserted into a column of type ${toWireTypeName(type)}`);
  return rule;
}

function scalarRule(type: LogicalType): ValueRule | undefined {
  return type.kind === 'scalar' ? SCALAR_RULES[type.name] : undefined;
}

function integerRule(min: bigint, max: bigint): ValueRule {
  const safeDigits = String(max).length - 1;
  return {
    json: 'number',
    expected: `a whole number from ${min} to ${max}`,
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
    expected: `a decimal number of at most ${integerDigits} digits before the point and ${scale} behind it`,
    readsJsonAsDouble: scale > 0,
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
