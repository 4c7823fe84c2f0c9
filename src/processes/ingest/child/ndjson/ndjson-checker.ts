import type { TableColumn } from '../../../../types/table-column.js';
import { BYTE_ORDER_MARK, CLOSING_BRACE, COLON, COMMA, LINE_FEED, OPENING_BRACE, QUOTE } from '../../ascii.js';
import type { TextPlace } from '../../staged-file.js';
import { countNewlines, type PieceReader } from '../read-pieces.js';
import { missingValueFault, unknownColumnFault } from '../row-faults.js';
import type { FastValue } from './fast-value.js';
import { JsonLineScanner } from './json-line-scanner.js';
import { JsonValueCheck } from './json-value-check.js';
import { LineForms } from './line-forms.js';
import { type LineTemplate, LOOK_AHEAD_BYTES, type ValuePlace } from './line-template.js';

/** Checks lines of JSON objects against the columns of a table, so that the engine reads every value as it is written. */
export class NdjsonChecker implements PieceReader {
  rowCount = 0;
  readonly #json = new JsonLineScanner();
  readonly #checks: readonly JsonValueCheck[];
  readonly #forms: LineForms;
  readonly #keys: readonly Buffer[];
  readonly #positions: ReadonlyMap<string, number>;
  readonly #required: readonly number[];
  /** The form of the last line that was taken token by token, and how many were since another was like it. */
  #template: LineTemplate | undefined;
  #misses = 0;
  #places: ValuePlace[] = [];
  /** The row that last had each column, and the last with a value of it. */
  readonly #seenInRow: Float64Array;
  readonly #filledInRow: Float64Array;

  /** @param before what stands before these lines in the text that they are part of. */
  constructor(
    private readonly columns: readonly TableColumn[],
    private readonly before: TextPlace = { lines: 0, rows: 0 },
  ) {
    this.#json.line = before.lines + 1;
    this.#checks = columns.map((column) => new JsonValueCheck(column));
    this.#forms = LineForms.of(columns);
    this.#keys = columns.map(({ name }) => Buffer.from(name));
    this.#positions = new Map(columns.map(({ name }, index) => [name, index]));
    this.#required = columns.flatMap(({ nullable }, index) => (nullable ? [] : [index]));
    this.#seenInRow = new Float64Array(columns.length);
    this.#filledInRow = new Float64Array(columns.length);
  }

  take(bytes: Buffer, isLast: boolean): number {
    const json = this.#json;
    if (json.line === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK))
      this.refuse(bytes, 0, 'a byte order mark: send the text without it');
    json.bytes = bytes;
    json.at = 0;
    json.end = isLast ? bytes.length : bytes.lastIndexOf(LINE_FEED) + 1;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const lastFast =
      bytes.length > LOOK_AHEAD_BYTES ? bytes.lastIndexOf(LINE_FEED, bytes.length - 1 - LOOK_AHEAD_BYTES) : -1;
    while (json.at < json.end) {
      if (!this.#passLine(bytes, view, lastFast)) this.#takeLine();
    }
    return json.end;
  }

  /** Lines that were taken. */
  get lineCount(): number {
    return this.#json.line - 1 - this.before.lines;
  }

  refuse(bytes: Buffer, offset: number, problem: string): never {
    this.#json.line += countNewlines(bytes, offset);
    throw this.#json.fault(problem);
  }

  /** Passes a line that is like the last one that was taken token by token. */
  #passLine(bytes: Buffer, view: DataView, lastFast: number): boolean {
    const json = this.#json;
    const template = this.#template;
    if (!template || json.at > lastFast) return false;
    const end = template.match(bytes, view, json.at);
    if (end < 0) return false;
    json.at = end;
    json.line++;
    this.rowCount++;
    this.#misses = 0;
    return true;
  }

  #takeLine(): void {
    const json = this.#json;
    const start = json.at;
    this.#places = [];
    if (json.peek() !== LINE_FEED) this.#takeRow();
    if (json.peek() !== LINE_FEED) throw json.fault('one object a line, and nothing behind it');
    json.at++;
    json.line++;
    if (this.#places.length > 0 && this.#isTemplateDue())
      this.#template = this.#forms.find(json.bytes, start, json.at, this.#places) ?? this.#template;
  }

  /** A single line that is different changes nothing, and where every line has a form of its own, templates are in vain. */
  #isTemplateDue(): boolean {
    const misses = ++this.#misses;
    return !this.#template || (misses > 1 && (misses & (misses - 1)) === 0);
  }

  #takeRow(): void {
    const json = this.#json;
    this.rowCount++;
    json.expect(OPENING_BRACE, 'an object in braces');
    if (!json.skip(CLOSING_BRACE)) {
      // Most lines have the same keys in the same order.
      let next = 0;
      do {
        const index = this.#takeKey(next);
        json.expect(COLON, 'a colon');
        this.#takeValue(index);
        next = index + 1;
      } while (json.skip(COMMA));
      json.expect(CLOSING_BRACE, 'a comma or a closing brace');
    }
    for (const index of this.#required) if (this.#filledInRow[index] !== this.rowCount) throw this.#missing(index);
  }

  #takeValue(index: number): void {
    const json = this.#json;
    json.peek();
    const start = json.at;
    if (this.#checks[index]?.take(json, this.before.rows + this.rowCount)) this.#filledInRow[index] = this.rowCount;
    this.#places.push({ start, end: json.at, value: this.#forms.values[index] as FastValue });
  }

  /** Takes a key and returns the position of its column, which may be the expected one. */
  #takeKey(expected: number): number {
    const json = this.#json;
    if (json.peek() !== QUOTE) json.expect(QUOTE, 'a key in quotes');
    json.takeString();
    const index = this.#isKey(expected) ? expected : this.#positions.get(json.string());
    if (index === undefined) throw unknownColumnFault(json.string(), this.columns, this.#place());
    if (this.#seenInRow[index] === this.rowCount) throw json.fault(`the key '${json.string()}' stands there twice`);
    this.#seenInRow[index] = this.rowCount;
    return index;
  }

  #isKey(index: number): boolean {
    const key = this.#keys[index];
    const { bytes, tokenStart, tokenEnd } = this.#json;
    if (key === undefined || key.length !== tokenEnd - tokenStart) return false;
    for (let at = 0; at < key.length; at++) if (bytes[tokenStart + at] !== key[at]) return false;
    return true;
  }

  #missing(index: number): Error {
    return missingValueFault(this.columns[index]?.name ?? '', this.#place());
  }

  #place(): { line: number; row: number } {
    return { line: this.#json.line, row: this.before.rows + this.rowCount };
  }
}
