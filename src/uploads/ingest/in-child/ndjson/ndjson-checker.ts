import type { TableColumn } from '../../../table-column.js';
import { countNewlines, type PieceReader } from '../read-pieces.js';
import { missingValueFault, unknownColumnFault } from '../row-faults.js';
import { JsonLineScanner } from './json-line-scanner.js';
import { JsonValueCheck } from './json-value-check.js';

const [NEWLINE, OPEN, CLOSE, COMMA, COLON, QUOTE] = Buffer.from('\n{},:"') as unknown as [
  number,
  number,
  number,
  number,
  number,
  number,
];

/** The engine refuses it, as does the standard of JSON. */
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Checks lines of JSON objects against the columns of a table, so that the engine reads every value as it is written. */
export class NdjsonChecker implements PieceReader {
  rowCount = 0;
  readonly #json = new JsonLineScanner();
  readonly #checks: readonly JsonValueCheck[];
  readonly #keys: readonly Buffer[];
  readonly #positions: ReadonlyMap<string, number>;
  readonly #required: readonly number[];
  /** The row that last had each column, and the last with a value of it. */
  readonly #seenInRow: Float64Array;
  readonly #filledInRow: Float64Array;

  constructor(private readonly columns: readonly TableColumn[]) {
    this.#checks = columns.map((column) => new JsonValueCheck(column));
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
    json.end = isLast ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1;
    while (json.at < json.end) {
      if (json.peek() !== NEWLINE) this.#takeRow();
      if (json.peek() !== NEWLINE) throw json.fault('one object a line, and nothing behind it');
      json.at++;
      json.line++;
    }
    return json.end;
  }

  refuse(bytes: Buffer, offset: number, problem: string): never {
    this.#json.line += countNewlines(bytes, offset);
    throw this.#json.fault(problem);
  }

  #takeRow(): void {
    const json = this.#json;
    this.rowCount++;
    json.expect(OPEN, 'an object in braces');
    if (!json.skip(CLOSE)) {
      // Most lines have the same keys in the same order.
      let next = 0;
      do {
        const index = this.#takeKey(next);
        json.expect(COLON, 'a colon');
        if (this.#checks[index]?.take(json, this.rowCount)) this.#filledInRow[index] = this.rowCount;
        next = index + 1;
      } while (json.skip(COMMA));
      json.expect(CLOSE, 'a comma or a closing brace');
    }
    for (const index of this.#required) if (this.#filledInRow[index] !== this.rowCount) throw this.#missing(index);
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
    return { line: this.#json.line, row: this.rowCount };
  }
}
