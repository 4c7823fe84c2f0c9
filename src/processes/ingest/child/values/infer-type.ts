import type { LogicalType } from '../../../../types/column.js';
import type { ScalarName } from '../../../../types/scalar-types.js';
import { DATE, NO_INSTANT, scanInstant, TIMESTAMP, ZONED_TIMESTAMP } from './instant-shape.js';
import { isExactDouble, isInt64, isNonFinite, NumberShape, SAFE_DIGITS, scanNumber } from './number-shape.js';

/** Digits after the point that keep the exponent far from the limits of a double. */
const SAFE_FRACTION_DIGITS = 250;
/** What a DECIMAL of the engine holds. */
const MAX_DECIMAL_DIGITS = 38;

/** Kinds of values that a column may hold, as bits; a column of several kinds is text. */
const BOOLEANS = 1;
const NUMBERS = 2;
const INSTANTS = 4;
const ZONED_INSTANTS = 8;
const TEXTS = 16;

/**
 * Finds the type of a column from all its values, so that each comes out of the table as it went
 * in:
 *
 * - whole numbers: BIGINT, or DECIMAL(38, 0) if one needs more than 64 bits;
 * - decimal numbers: DOUBLE if every value prints as the same number, else DECIMAL;
 * - `true` and `false`, also `True` and `TRUE`: BOOLEAN;
 * - ISO dates and times: DATE, TIMESTAMP, or TIMESTAMPTZ if all have a zone;
 * - everything else, also mixed columns and those without any value: VARCHAR. Numbers that are
 *   written like a text of digits (`007`, `+5`), or that nothing holds exactly (`1e400`), are text.
 */
export class TypeInference {
  #kinds = 0;
  #hasTimes = false;
  #hasFinite = false;
  /** Some number is written with a point or an exponent, or is `-0`. */
  #hasFractions = false;
  /** Some number is -0. */
  hasNegativeZero = false;
  #hasExponents = false;
  #isOver64Bits = false;
  /** Some value changes when it becomes a double. */
  #isInexact = false;
  #maxIntegerDigits = 0;
  #maxFractionDigits = 0;

  /** Whether no further value can change the type. */
  get isText(): boolean {
    return this.#kinds === TEXTS;
  }

  /** Takes the text of a value that is not NULL. */
  add(bytes: Buffer, start: number, end: number): void {
    if (this.#kinds === TEXTS) return;
    const kind = this.#kindOf(bytes, start, end);
    this.#kinds |= kind;
    if (this.#kinds !== kind) this.#kinds = TEXTS;
  }

  /** The type of a column with the values so far. */
  type(): LogicalType {
    switch (this.#kinds) {
      case BOOLEANS:
        return scalar('BOOLEAN');
      case NUMBERS:
        return this.#numberType();
      case INSTANTS:
        return scalar(this.#hasTimes ? 'TIMESTAMP' : 'DATE');
      case ZONED_INSTANTS:
        return scalar('TIMESTAMPTZ');
      default:
        return scalar('VARCHAR');
    }
  }

  #kindOf(bytes: Buffer, start: number, end: number): number {
    const mayBeInstant = this.#kinds === INSTANTS || this.#kinds === ZONED_INSTANTS;
    if (!mayBeInstant && scanNumber(bytes, start, end, SHAPE)) return this.#addNumber(bytes, start, end, SHAPE);
    switch (scanInstant(bytes, start, end)) {
      case NO_INSTANT:
        break;
      case DATE:
        return INSTANTS;
      case TIMESTAMP:
        this.#hasTimes = true;
        return INSTANTS;
      case ZONED_TIMESTAMP:
        return ZONED_INSTANTS;
    }
    if (isBoolean(bytes, start, end)) return BOOLEANS;
    return isNonFinite(bytes, start, end) ? this.#addNonFinite() : TEXTS;
  }

  #addNumber(bytes: Buffer, start: number, end: number, shape: NumberShape): number {
    if (shape.isPadded || (shape.hasPoint && shape.fractionDigits === 0)) return TEXTS;
    this.#hasFinite = true;
    const digits = shape.significantDigits;
    if (shape.hasPoint || shape.hasExponent || (digits === 0 && shape.isNegative)) {
      this.#hasFractions = true;
      if (shape.hasExponent) this.#hasExponents = true;
      if (digits === 0 && shape.isNegative) this.hasNegativeZero = true;
      const isSafe = digits <= SAFE_DIGITS && shape.fractionDigits <= SAFE_FRACTION_DIGITS && !shape.hasExponent;
      if (!isSafe && !isExactDouble(bytes.toString('latin1', start, end))) this.#isInexact = true;
    } else if (digits > SAFE_DIGITS) {
      this.#isInexact = true;
      if (!this.#isOver64Bits && !isInt64(bytes, end, shape)) this.#isOver64Bits = true;
    }
    // The 0 before a point takes no digit of a DECIMAL.
    const integerDigits = Math.min(shape.integerDigits, digits);
    if (integerDigits > this.#maxIntegerDigits) this.#maxIntegerDigits = integerDigits;
    if (shape.fractionDigits > this.#maxFractionDigits) this.#maxFractionDigits = shape.fractionDigits;
    return NUMBERS;
  }

  /** NaN and infinities go with other numbers only as doubles. */
  #addNonFinite(): number {
    this.#hasFractions = true;
    this.#hasExponents = true;
    return NUMBERS;
  }

  #numberType(): LogicalType {
    const integerDigits = this.#maxIntegerDigits;
    const scale = this.#maxFractionDigits;
    if (!this.#hasFinite) return scalar('VARCHAR');
    if (!this.#hasFractions && !this.#isOver64Bits) return scalar('BIGINT');
    if (this.#hasFractions && !this.#isInexact) return scalar('DOUBLE');
    if (this.#hasExponents || integerDigits + scale > MAX_DECIMAL_DIGITS) return scalar('VARCHAR');
    return { kind: 'decimal', precision: MAX_DECIMAL_DIGITS, scale };
  }
}

const SHAPE = new NumberShape();

const BOOLEAN_WORDS: ReadonlySet<string> = new Set(['true', 'True', 'TRUE', 'false', 'False', 'FALSE']);

function isBoolean(bytes: Buffer, start: number, end: number): boolean {
  const length = end - start;
  return (length === 4 || length === 5) && BOOLEAN_WORDS.has(bytes.toString('latin1', start, end));
}

function scalar(name: ScalarName): LogicalType {
  return { kind: 'scalar', name };
}
