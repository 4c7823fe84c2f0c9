import type { TableColumn } from '../../../../types/table-column.js';
import { DIGIT_0, DIGIT_9, MINUS, QUOTE } from '../../ascii.js';
import { excerpt } from '../content-fault.js';
import { type RowPlace, valueFault } from '../row-faults.js';
import { NumberShape, scanNumber } from '../values/number-shape.js';
import { type ValueRule, valueRule } from '../values/value-rule.js';
import type { JsonLineScanner } from './json-line-scanner.js';

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');

/** Digits that survive the way through a double, whatever they are. */
const SAFE_DIGITS = 15;
const SHAPE = new NumberShape();

/** Checks the JSON values of one column. */
export class JsonValueCheck {
  readonly #rule: ValueRule;
  readonly #isText: boolean;

  constructor(
    private readonly column: TableColumn,
    rule = valueRule(column),
  ) {
    this.#rule = rule;
    this.#isText = column.type.kind === 'scalar' && column.type.name === 'VARCHAR';
  }

  /**
   * Takes a value.
   *
   * @returns whether it is one; otherwise it is null.
   * @throws ContentFault if it does not fit the column.
   */
  take(json: JsonLineScanner, row: number): boolean {
    if (json.peek() === QUOTE) {
      json.takeString();
      const isFitting = json.hasEscapes ? this.#acceptsString(json.string()) : this.#acceptsPlainString(json);
      if (!isFitting) throw this.#fault(json, row, json.tokenStart - 1, json.tokenEnd + 1);
      return true;
    }
    const start = json.at;
    json.takeBare();
    if (json.isWord(NULL)) return false;
    if (!this.#acceptsBare(json)) throw this.#fault(json, row, start, json.endOfValue(start));
    return true;
  }

  #acceptsPlainString({ bytes, tokenStart, tokenEnd }: JsonLineScanner): boolean {
    return this.#isText || this.#acceptsText(bytes, tokenStart, tokenEnd);
  }

  #acceptsString(text: string): boolean {
    const bytes = Buffer.from(text);
    return this.#isText || this.#acceptsText(bytes, 0, bytes.length);
  }

  /** Numbers in strings are numbers of JSON, too, save NaN and the like. */
  #acceptsText(bytes: Buffer, start: number, end: number): boolean {
    if (this.#rule.json === 'boolean' || !this.#rule.accepts(bytes, start, end)) return false;
    return this.#rule.json !== 'number' || !scanNumber(bytes, start, end, SHAPE) || isJsonNumber(SHAPE);
  }

  #acceptsBare(json: JsonLineScanner): boolean {
    const { bytes, tokenStart, tokenEnd } = json;
    const first = bytes[tokenStart] as number;
    if (tokenStart === tokenEnd) return false;
    if (first !== MINUS && !(first >= DIGIT_0 && first <= DIGIT_9))
      return this.#rule.json === 'boolean' && isBoolean(json);
    if (this.#rule.json !== 'number' || !this.#rule.accepts(bytes, tokenStart, tokenEnd)) return false;
    if (!scanNumber(bytes, tokenStart, tokenEnd, SHAPE) || !isJsonNumber(SHAPE)) return false;
    return !this.#rule.readsJsonAsDouble || SHAPE.significantDigits <= SAFE_DIGITS;
  }

  #fault({ bytes, line }: JsonLineScanner, row: number, start: number, end: number): Error {
    const place: RowPlace = { line, row };
    const inString = this.#rule.readsJsonAsDouble ? `, in a string if it has more than ${SAFE_DIGITS} digits` : '';
    return valueFault(this.column.name, this.#rule.expected + inString, excerpt(bytes, start, end), place);
  }
}

/** Whether JSON writes a number in this way. */
export function isJsonNumber(shape: NumberShape): boolean {
  return !shape.isPadded && shape.integerDigits > 0 && !(shape.hasPoint && shape.fractionDigits === 0);
}

function isBoolean(json: JsonLineScanner): boolean {
  return json.isWord(TRUE) || json.isWord(FALSE);
}
