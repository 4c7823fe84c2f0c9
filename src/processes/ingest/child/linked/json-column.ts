import type { LinkedColumnType } from '../../../../storage/linked/linked-text.js';
import type { LogicalType } from '../../../../types/column.js';
import type { ScalarName } from '../../../../types/scalar-types.js';
import { OPENING_BRACE, OPENING_BRACKET, QUOTE } from '../../ascii.js';
import { beginningOf, excerpt } from '../content-error.js';
import { FALSE, type JsonLineScanner, NULL, TRUE } from '../ndjson/json-line-scanner.js';
import { JsonValueCheck } from '../ndjson/json-value-check.js';
import { TypeInference } from '../values/infer-type.js';
import { SAFE_DIGITS } from '../values/number-shape.js';
import type { ValueRule } from '../values/value-rule.js';
import { type EngineNumber, findChangedNumber, hasBrokenText, readNumber } from './json-numbers.js';
import type { ColumnScan, LinkedColumns } from './linked-columns.js';
import { LinkedFileError } from './linked-file-error.js';

/** Kinds of values, as bits. */
const STRINGS = 1;
const NUMBERS = 2;
const BOOLEANS = 4;
const NESTED = 8;

const LONG = 'has more digits than a double keeps';
const IN_QUOTES = 'write it in quotes';

/** Takes the values of one key of NDJSON: to find their type, or to check them against it. */
export class JsonColumn implements ColumnScan {
  readonly #check: JsonValueCheck | undefined;
  readonly #numbers = new TypeInference();
  readonly #strings = new TypeInference();
  #kinds = 0;
  /** The first numbers that the engine would change if the column became text, JSON, or DECIMAL. */
  #changedText: LinkedFileError | undefined;
  #changedNumber: LinkedFileError | undefined;
  #longDecimal: LinkedFileError | undefined;

  constructor(
    private readonly name: string,
    private readonly columns: Pick<LinkedColumns<JsonColumn>, 'file'>,
    private readonly known?: { readonly column: LinkedColumnType; readonly rule: ValueRule },
  ) {
    if (known && !isText(known.column.type))
      this.#check = new JsonValueCheck({ ...known.column, nullable: true }, known.rule);
  }

  /** Takes the value that is next. @throws ContentError */
  take(json: JsonLineScanner, row: number): void {
    if (this.#check) this.#check.take(json, row);
    else this.#kinds |= this.#takeAny(json);
    const error = this.known && this.#errorFor(this.known.column.type);
    if (error) throw error;
  }

  type(): LogicalType {
    const type = this.known?.column.type ?? this.#findType();
    const error = this.#errorFor(type);
    if (error) throw error;
    return type;
  }

  #findType(): LogicalType {
    if (this.#kinds & NESTED) return scalar('JSON');
    if (this.#kinds === NUMBERS) return this.#numbers.type();
    if (this.#kinds === BOOLEANS) return scalar('BOOLEAN');
    const texts = this.#strings.type();
    const areInstants = this.#kinds === STRINGS && texts.kind === 'scalar' && INSTANTS.has(texts.name);
    return areInstants ? texts : scalar('VARCHAR');
  }

  /** Why the engine would not read all values as they are if the column were of this type. */
  #errorFor(type: LogicalType | undefined): LinkedFileError | undefined {
    if (type?.kind === 'decimal') return type.scale > 0 ? this.#longDecimal : undefined;
    if (type?.kind !== 'scalar') return undefined;
    if (type.name === 'VARCHAR') return this.#changedText ?? this.#changedNumber;
    return type.name === 'JSON' ? this.#changedNumber : undefined;
  }

  #takeAny(json: JsonLineScanner): number {
    const first = json.peek();
    if (first === QUOTE) return this.#takeString(json);
    if (first === OPENING_BRACE || first === OPENING_BRACKET) return this.#takeNested(json);
    json.takeBare();
    if (json.isToken(NULL)) return 0;
    if (json.isToken(TRUE) || json.isToken(FALSE)) return BOOLEANS;
    const { bytes, tokenStart, tokenEnd } = json;
    const number = readNumber(bytes, tokenStart, tokenEnd);
    if (!number) throw json.error(`the key '${beginningOf(this.name)}' has no value of JSON`);
    this.#takeNumber(json, number);
    return NUMBERS;
  }

  #takeString(json: JsonLineScanner): number {
    json.takeString();
    const { bytes, tokenStart, tokenEnd } = json;
    if (json.hasEscapes) {
      const text = Buffer.from(json.string());
      if (!this.#strings.isText) this.#strings.add(text, 0, text.length);
    } else if (!this.#strings.isText) this.#strings.add(bytes, tokenStart, tokenEnd);
    return STRINGS;
  }

  #takeNumber(json: JsonLineScanner, number: EngineNumber): void {
    const { bytes, tokenStart, tokenEnd } = json;
    this.#numbers.add(bytes, tokenStart, tokenEnd);
    const written = () => `the number ${excerpt(bytes, tokenStart, tokenEnd)}`;
    if (!number.isSameText)
      this.#changedText ??= this.#error(json, `text would not keep ${written()} as it is: ${IN_QUOTES}`);
    if (!number.isSameNumber) this.#changedNumber ??= this.#error(json, `${written()} ${LONG}: ${IN_QUOTES}`);
    // The engine reads numbers of DECIMAL columns through doubles.
    if (number.significantDigits > SAFE_DIGITS)
      this.#longDecimal ??= this.#error(json, `${written()} ${LONG}: ${IN_QUOTES}, or link it with the type double`);
  }

  #takeNested(json: JsonLineScanner): number {
    const { bytes, at: start } = json;
    json.at = json.endOfValue(start);
    const text = bytes.toString('utf8', start, json.at);
    if (!isJson(text)) throw json.error(`the value of the key '${beginningOf(this.name)}' is not well-formed`);
    if (hasBrokenText(text)) throw json.error(`the value of the key '${beginningOf(this.name)}' holds what is no text`);
    const changed = findChangedNumber(text);
    if (changed !== undefined)
      this.#changedNumber ??= this.#error(json, `the number ${beginningOf(changed)} ${LONG}: ${IN_QUOTES}`);
    return NESTED;
  }

  #error({ line }: JsonLineScanner, issue: string): LinkedFileError {
    const reason = `line ${line}: column ${beginningOf(this.name)}: ${issue}`;
    return new LinkedFileError(this.columns.file, reason, { line, column: beginningOf(this.name) });
  }
}

const INSTANTS: ReadonlySet<ScalarName> = new Set(['DATE', 'TIMESTAMP', 'TIMESTAMPTZ']);

/** Whether any value of JSON goes. */
function isText(type: LogicalType): boolean {
  return type.kind === 'scalar' && (type.name === 'VARCHAR' || type.name === 'JSON');
}

function scalar(name: ScalarName): LogicalType {
  return { kind: 'scalar', name };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
