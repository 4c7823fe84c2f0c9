import type { ValueRule } from '../values/value-rule.js';
import { endOfLiteral, endOfNull, endOfUsualValue } from './usual-value.js';

/** What the values of a column may be. */
export interface ColumnValues {
  readonly rule: ValueRule;
  readonly isNullable: boolean;
}

/** A value of a line, by its offsets. */
export interface ValueSpan {
  readonly start: number;
  readonly end: number;
  readonly column: ColumnValues;
}

/** What a line has before its next value, and that value; nothing follows the last literal. */
interface Step {
  readonly literal: Buffer;
  readonly column: ColumnValues | undefined;
}

/**
 * The shape of a line: what stands around its values. Lines that a program writes have few shapes,
 * so that most are checked by comparing them with the shape of one before, which is much faster
 * than token by token (`docs/decisions/0026-line-templates-by-a-loop.md`).
 */
export class LineTemplate {
  readonly #steps: readonly Step[];

  /** @param values of the line from `start` to `end`, its line feed included, in their order. */
  constructor(bytes: Buffer, start: number, end: number, values: readonly ValueSpan[]) {
    const literals = [...values, { start: end }].map((value, index) =>
      Buffer.from(bytes.subarray(values[index - 1]?.end ?? start, value.start)),
    );
    this.#steps = literals.map((literal, index) => ({ literal, column: values[index]?.column }));
  }

  /**
   * The offset after a line of this shape that begins at `start` and whose values are usual ones;
   * -1 for every other line, which need not be wrong.
   */
  match(bytes: Buffer, start: number): number {
    let at = start;
    for (const { literal, column } of this.#steps) {
      at = endOfLiteral(bytes, at, literal);
      if (at >= 0 && column) at = endOfValue(bytes, at, column);
      if (at < 0) return -1;
    }
    return at;
  }
}

function endOfValue(bytes: Buffer, start: number, { rule, isNullable }: ColumnValues): number {
  const end = endOfUsualValue(bytes, start, rule);
  return end < 0 && isNullable ? endOfNull(bytes, start) : end;
}
