import type { TableColumn } from '../../../../types/table-column.js';
import { DIGIT_0, DIGIT_9, MINUS, QUOTE } from '../../ascii.js';
import { excerpt } from '../content-error.js';
import { type RowLocation, valueError } from '../row-errors.js';
import { isNegativeZero, NumberShape, SAFE_DIGITS, scanNumber } from '../values/number-shape.js';
import { type ValueRule, valueRule } from '../values/value-rule.js';
import { FALSE, type JsonLineScanner, NULL, TRUE } from './json-line-scanner.js';

const SHAPE = new NumberShape();

/** Checks the JSON values of one column. */
export class JsonValueCheck {
  /** Whether a double was -0. */
  hasNegativeZero = false;

  constructor(
    private readonly column: TableColumn,
    private readonly rule: ValueRule = valueRule(column),
  ) {}

  /**
   * Takes a value.
   *
   * @returns whether it is one; otherwise it is null.
   * @throws ContentError if it does not fit the column.
   */
  take(json: JsonLineScanner, row: number): boolean {
    if (json.peek() === QUOTE) {
      json.takeString();
      if (!this.#acceptsString(json)) throw this.#error(json, row, json.tokenStart - 1, json.tokenEnd + 1);
      this.#noteNegativeZero(json);
      return true;
    }
    const start = json.at;
    json.takeBare();
    if (json.isToken(NULL)) return false;
    if (!this.#acceptsBare(json)) throw this.#error(json, row, start, json.endOfValue(start));
    this.#noteNegativeZero(json);
    return true;
  }

  #noteNegativeZero({ bytes, tokenStart, tokenEnd }: JsonLineScanner): void {
    if (this.rule.hasNegativeZero) this.hasNegativeZero ||= isNegativeZero(bytes, tokenStart, tokenEnd);
  }

  #acceptsString(json: JsonLineScanner): boolean {
    if (!json.hasEscapes) return this.#acceptsText(json.bytes, json.tokenStart, json.tokenEnd);
    const bytes = Buffer.from(json.string());
    return this.#acceptsText(bytes, 0, bytes.length);
  }

  /** Numbers in strings are numbers of JSON, too, except NaN and the infinities. */
  #acceptsText(bytes: Buffer, start: number, end: number): boolean {
    if (this.rule.json === 'boolean' || !this.rule.accepts(bytes, start, end)) return false;
    return this.rule.json !== 'number' || !scanNumber(bytes, start, end, SHAPE) || isJsonNumber(SHAPE);
  }

  #acceptsBare(json: JsonLineScanner): boolean {
    const { bytes, tokenStart, tokenEnd } = json;
    const first = bytes[tokenStart] as number;
    if (tokenStart === tokenEnd) return false;
    if (first !== MINUS && !(first >= DIGIT_0 && first <= DIGIT_9))
      return this.rule.json === 'boolean' && isBoolean(json);
    if (this.rule.json !== 'number' || !this.rule.accepts(bytes, tokenStart, tokenEnd)) return false;
    if (!scanNumber(bytes, tokenStart, tokenEnd, SHAPE) || !isJsonNumber(SHAPE)) return false;
    return !this.rule.readsJsonAsDouble || SHAPE.significantDigits <= SAFE_DIGITS;
  }

  #error({ bytes, line }: JsonLineScanner, row: number, start: number, end: number): Error {
    const location: RowLocation = { line, row };
    const inString = this.rule.readsJsonAsDouble ? `, in a string if it has more than ${SAFE_DIGITS} digits` : '';
    return valueError(this.column.name, this.rule.expected + inString, excerpt(bytes, start, end), location);
  }
}

/** Whether JSON writes a number in this way. */
export function isJsonNumber(shape: NumberShape): boolean {
  return !shape.isPadded && shape.integerDigits > 0 && !(shape.hasPoint && shape.fractionDigits === 0);
}

function isBoolean(json: JsonLineScanner): boolean {
  return json.isToken(TRUE) || json.isToken(FALSE);
}
