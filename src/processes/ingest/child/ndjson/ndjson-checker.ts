import type { TableColumn } from '../../../../types/table-column.js';
import { COLON } from '../../ascii.js';
import type { TextOffset } from '../../staged-file.js';
import { missingValueError, unknownColumnError } from '../row-errors.js';
import { valueRule } from '../values/value-rule.js';
import { JsonValueCheck } from './json-value-check.js';
import { type ColumnValues, LineTemplate, type ValueSpan } from './line-template.js';
import { NdjsonLines } from './ndjson-lines.js';

/** Checks lines of JSON objects against the columns of a table, as the engine does not. */
export class NdjsonChecker extends NdjsonLines {
  readonly #checks: readonly JsonValueCheck[];
  readonly #columnValues: readonly ColumnValues[];
  readonly #keys: readonly Buffer[];
  readonly #indexes: ReadonlyMap<string, number>;
  /** The shape of an earlier line, and how many lines in a row did not have it. */
  #template: LineTemplate | undefined;
  #misses = 0;
  #values: ValueSpan[] = [];
  /** The column that most lines have next. */
  #expected = 0;
  /** The row that last had each column, and the last with a value of it. */
  readonly #seenInRow: Float64Array;
  readonly #filledInRow: Float64Array;

  /** @param before how much of the text stands before these lines. */
  constructor(
    private readonly columns: readonly TableColumn[],
    private readonly before: TextOffset = { lines: 0, rows: 0 },
  ) {
    super(before.lines);
    this.#checks = columns.map((column) => new JsonValueCheck(column));
    this.#columnValues = columns.map((column) => ({ rule: valueRule(column), isNullable: column.nullable }));
    this.#keys = columns.map(({ name }) => Buffer.from(name));
    this.#indexes = new Map(columns.map(({ name }, index) => [name, index]));
    this.#seenInRow = new Float64Array(columns.length);
    this.#filledInRow = new Float64Array(columns.length);
  }

  /** Whether a double is -0. */
  get hasNegativeZero(): boolean {
    return this.#checks.some((check) => check.hasNegativeZero);
  }

  protected override skipUsualLine(): boolean {
    const { json } = this;
    const end = this.#template?.match(json.bytes, json.at) ?? -1;
    if (end < 0) return false;
    json.at = end;
    this.rowCount++;
    this.#misses = 0;
    return true;
  }

  protected takeEntry(position: number): void {
    const { json } = this;
    if (position === 0) this.#expected = 0;
    const index = this.#takeKey();
    this.#expected = index + 1;
    json.expect(COLON, 'a colon');
    json.peek();
    const start = json.at;
    if (this.#checks[index]?.take(json, this.#row)) this.#filledInRow[index] = this.rowCount;
    this.#values.push({ start, end: json.at, column: this.#columnValues[index] as ColumnValues });
  }

  protected override endRow(): void {
    for (const [index, { name, nullable }] of this.columns.entries())
      if (!nullable && this.#filledInRow[index] !== this.rowCount) throw missingValueError(name, this.#location);
  }

  protected override endLine(start: number): void {
    const { json } = this;
    if (this.#values.length > 0 && this.#isTemplateDue())
      this.#template = new LineTemplate(json.bytes, start, json.at, this.#values);
    this.#values = [];
  }

  /**
   * Templates help little if each line has its own shape, so that they are made ever more rarely.
   */
  #isTemplateDue(): boolean {
    const misses = ++this.#misses;
    return !this.#template || (misses > 1 && (misses & (misses - 1)) === 0);
  }

  /** Takes a key and returns the index of its column. */
  #takeKey(): number {
    const { json } = this;
    json.takeKey();
    const expected = this.#keys[this.#expected];
    const index = expected && json.isToken(expected) ? this.#expected : this.#indexes.get(json.string());
    if (index === undefined) throw unknownColumnError(json.string(), this.columns, this.#location);
    if (this.#seenInRow[index] === this.rowCount) throw json.error(`the key '${json.string()}' stands there twice`);
    this.#seenInRow[index] = this.rowCount;
    return index;
  }

  get #row(): number {
    return this.before.rows + this.rowCount;
  }

  get #location(): { line: number; row: number } {
    return { line: this.json.line, row: this.#row };
  }
}
