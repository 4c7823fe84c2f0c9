import type { LogicalType, ScalarName } from '../../../../types/column.js';
import type { TableColumn } from '../../../../types/table-column.js';
import { BACKSLASH, DIGIT_0, DIGIT_9, MINUS, POINT, QUOTE, SPACE } from '../../ascii.js';
import { type JsonForm, type ValueRule, valueRule } from '../values/value-rule.js';
import { FastInstant } from './fast-instant.js';
import { areDigits, hasSpecial, toWord, WORD_BYTES } from './four-bytes.js';

/** What the usual values of a column look like in JSON. */
export interface FastValue {
  /** `text` may hold anything, a `string` what the rule of the column accepts; `unsigned` is a number without a sign. */
  readonly kind: 'text' | 'instant' | 'unsigned' | JsonForm;
  readonly isNullable: boolean;
  readonly accepts: ValueRule['accepts'];
  readonly instant: FastInstant;
  /** Numbers of so many digits, and so many behind the point, fit the column for sure. */
  readonly maxDigits: number;
  readonly maxFractionDigits: number;
}

/** Any number of so few digits keeps them on the way through a double. */
const SAFE_DIGITS = 15;

const NULL = toWord('null');
const TRUE = toWord('true');
const FALS = toWord('fals');
const ALSE = toWord('alse');

/** 1 for the letters that make an escape of one letter. */
const IS_SHORT_ESCAPE = new Uint8Array(256);
for (const letter of Buffer.from('"\\/bfnrt')) IS_SHORT_ESCAPE[letter] = 1;

/** The fast side of a column's rule. */
export function toFastValue(column: TableColumn): FastValue {
  const { accepts } = valueRule(column);
  const instant = new FastInstant(!isType(column, 'DATE'));
  return { kind: kindOf(column), isNullable: column.nullable, accepts, instant, ...safeNumbers(column) };
}

function kindOf(column: TableColumn): FastValue['kind'] {
  if (column.wideInteger === 'uint256') return 'unsigned';
  if (isType(column, 'VARCHAR')) return 'text';
  if (isType(column, 'DATE', 'TIMESTAMP', 'TIMESTAMPTZ')) return 'instant';
  return valueRule(column).json;
}

function isType({ type }: TableColumn, ...names: ScalarName[]): boolean {
  return type.kind === 'scalar' && names.includes(type.name);
}

function safeNumbers({ type }: TableColumn): Pick<FastValue, 'maxDigits' | 'maxFractionDigits'> {
  const [maxDigits, maxFractionDigits] = safeDigits(type);
  return { maxDigits, maxFractionDigits };
}

function safeDigits(type: LogicalType): readonly [digits: number, fractionDigits: number] {
  if (type.kind === 'decimal') {
    const { precision, scale } = type;
    return scale === 0 ? [precision, 0] : [Math.min(precision - scale, SAFE_DIGITS), scale];
  }
  const digits: Readonly<Record<string, readonly [number, number]>> = {
    INTEGER: [9, 0],
    BIGINT: [18, 0],
    BIGNUM: [76, 0],
    DOUBLE: [300, 300],
  };
  return (type.kind === 'scalar' && digits[type.name]) || [0, 0];
}

/** What {@link toMatchSource} calls. Each gives the place behind the value that stands at `start`, or -1 if it is none of the usual ones. */
export const MATCHERS = { matchAnyNumber, matchUnsigned, matchText, matchInstant, matchBoolean, matchRule };

/**
 * Source of JavaScript that moves `at` behind the value that stands there in `bytes`, of which `view` is another look; it returns -1 if that is
 * not one of the usual values, which need not mean that it is wrong.
 *
 * @param name what the value is called in the source.
 */
export function toMatchSource(value: FastValue, name: string): string {
  const orNull = value.isNullable
    ? `{ if (view.getInt32(at, true) !== ${NULL}) return -1; end = at + ${WORD_BYTES}; }`
    : 'return -1;';
  return `end = ${toCallSource(value, name)}; if (end < 0) ${orNull} at = end;`;
}

function toCallSource({ kind, maxDigits, maxFractionDigits }: FastValue, name: string): string {
  switch (kind) {
    case 'number':
      return `matchAnyNumber(bytes, view, at, ${maxDigits}, ${maxFractionDigits})`;
    case 'unsigned':
      return `matchUnsigned(bytes, view, at, ${maxDigits}, ${maxFractionDigits})`;
    case 'text':
      return 'matchText(bytes, view, at)';
    case 'boolean':
      return 'matchBoolean(view, at)';
    case 'instant':
      return `matchInstant(${name}, bytes, view, at)`;
    case 'string':
      return `matchRule(${name}, bytes, view, at)`;
  }
}

function matchInstant(value: FastValue, bytes: Buffer, view: DataView, start: number): number {
  const end = value.instant.match(bytes, view, start);
  return end >= 0 ? end : matchRule(value, bytes, view, start);
}

/** The place behind a string without escapes that the rule of the column accepts. */
function matchRule({ accepts }: FastValue, bytes: Buffer, view: DataView, start: number): number {
  if (bytes[start] !== QUOTE) return -1;
  const end = endOfPlain(bytes, view, start + 1);
  return bytes[end] === QUOTE && accepts(bytes, start + 1, end) ? end + 1 : -1;
}

/** The place behind a string whose escapes, if it has any, are of one letter. */
function matchText(bytes: Buffer, view: DataView, start: number): number {
  if (bytes[start] !== QUOTE) return -1;
  for (let at = start + 1; ; at += 2) {
    at = endOfPlain(bytes, view, at);
    if (bytes[at] === QUOTE) return at + 1;
    if (bytes[at] !== BACKSLASH || IS_SHORT_ESCAPE[bytes[at + 1] as number] !== 1) return -1;
  }
}

/** The next byte of a string that does not stand for itself. */
function endOfPlain(bytes: Buffer, view: DataView, start: number): number {
  let at = start;
  while (!hasSpecial(view.getInt32(at, true))) at += WORD_BYTES;
  let byte = bytes[at] as number;
  while (byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH) byte = bytes[++at] as number;
  return at;
}

function matchUnsigned(bytes: Buffer, view: DataView, start: number, maxDigits: number, maxFraction: number): number {
  const isNegative = bytes[bytes[start] === QUOTE ? start + 1 : start] === MINUS;
  return isNegative ? -1 : matchAnyNumber(bytes, view, start, maxDigits, maxFraction);
}

function matchAnyNumber(bytes: Buffer, view: DataView, start: number, maxDigits: number, maxFraction: number): number {
  if (bytes[start] !== QUOTE) return matchNumber(bytes, view, start, maxDigits, maxFraction);
  const end = matchNumber(bytes, view, start + 1, maxDigits, maxFraction);
  return end >= 0 && bytes[end] === QUOTE ? end + 1 : -1;
}

function matchNumber(bytes: Buffer, view: DataView, start: number, maxDigits: number, maxFraction: number): number {
  const integer = bytes[start] === MINUS ? start + 1 : start;
  let at = endOfDigits(bytes, view, integer);
  let digits = at - integer;
  if (digits === 0 || (digits > 1 && bytes[integer] === DIGIT_0)) return -1;
  if (bytes[at] === POINT) {
    const fraction = at + 1;
    at = endOfDigits(bytes, view, fraction);
    if (at === fraction || at - fraction > maxFraction) return -1;
    digits += at - fraction;
  }
  return digits <= maxDigits ? at : -1;
}

function endOfDigits(bytes: Buffer, view: DataView, start: number): number {
  let at = start;
  while (areDigits(view.getInt32(at, true))) at += WORD_BYTES;
  let byte = bytes[at] as number;
  while (byte >= DIGIT_0 && byte <= DIGIT_9) byte = bytes[++at] as number;
  return at;
}

function matchBoolean(view: DataView, start: number): number {
  const word = view.getInt32(start, true);
  if (word === TRUE) return start + WORD_BYTES;
  return word === FALS && view.getInt32(start + 1, true) === ALSE ? start + 1 + WORD_BYTES : -1;
}
