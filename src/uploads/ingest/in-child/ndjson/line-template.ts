import { type FastValue, matchValue } from './fast-value.js';
import { WORD_BYTES } from './four-bytes.js';

/** A value of a line, by its place. */
export interface ValuePlace {
  readonly start: number;
  readonly end: number;
  readonly value: FastValue;
}

/** How far behind the line feed of a line {@link LineTemplate.match} may look. */
export const LOOK_AHEAD_BYTES = 8;

/** Bytes that are compared in one go, as a double: the bits of no text make a NaN. */
const PAIR_BYTES = 2 * WORD_BYTES;

/**
 * The form of a line: what stands around its values. Lines that a program writes have few forms, so that most of them can be checked by
 * comparing them to one before, some ten times faster than token by token.
 *
 * What stands before a value, and behind the last one up to the end of the line, is a literal. Literals are compared eight bytes at a time,
 * and lie in flat arrays, as this is the inner loop of every insert.
 */
export class LineTemplate {
  readonly #values: readonly FastValue[];
  readonly #lengths: Int32Array;
  /** The pairs of words of the literals one after the other; the last one of each may overlap the one before. */
  readonly #pairs: Float64Array;
  /** Literals that are shorter: their first and their last word, which may overlap, or their bytes. */
  readonly #firstWords: Int32Array;
  readonly #lastWords: Int32Array;

  /**
   * @param bytes holds a line that was checked token by token, and nothing behind `end`.
   * @param end behind its line feed.
   */
  constructor(bytes: Buffer, start: number, end: number, places: readonly ValuePlace[]) {
    const bounds = [start, ...places.flatMap((place) => [place.start, place.end]), end];
    const literals = Array.from({ length: places.length + 1 }, (_, index) =>
      bytes.subarray(bounds[2 * index], bounds[2 * index + 1]),
    );
    this.#values = places.map(({ value }) => value);
    this.#lengths = Int32Array.from(literals, ({ length }) => length);
    this.#pairs = Float64Array.from(literals.flatMap(pairsOf));
    this.#firstWords = Int32Array.from(literals, (literal) => shortWordAt(viewOf(literal), 0, literal.length));
    this.#lastWords = Int32Array.from(literals, (literal) =>
      shortWordAt(viewOf(literal), Math.max(0, literal.length - WORD_BYTES), literal.length),
    );
  }

  /**
   * The place behind a line of this form with values that surely fit; -1 for every other line, which need not be wrong. Its line feed must
   * lie {@link LOOK_AHEAD_BYTES} before the end of the bytes.
   */
  match(bytes: Buffer, view: DataView, start: number): number {
    const values = this.#values;
    const pairs = this.#pairs;
    const lengths = this.#lengths;
    let at = start;
    for (let index = 0, pair = 0; ; index++) {
      const length = lengths[index] as number;
      const end = at + length;
      if (length >= PAIR_BYTES) {
        const last = end - PAIR_BYTES;
        for (; at < last; at += PAIR_BYTES) if (view.getFloat64(at, true) !== pairs[pair++]) return -1;
        if (view.getFloat64(last, true) !== pairs[pair++]) return -1;
      } else {
        if (shortWordAt(view, at, length) !== this.#firstWords[index]) return -1;
        const last = length > WORD_BYTES ? end - WORD_BYTES : at;
        if (shortWordAt(view, last, length) !== this.#lastWords[index]) return -1;
      }
      if (index === values.length) return end;
      at = matchValue(values[index] as FastValue, bytes, view, end);
      if (at < 0) return -1;
    }
  }
}

function viewOf(literal: Buffer): DataView {
  return new DataView(literal.buffer, literal.byteOffset, literal.length);
}

/** The pairs of words of a literal that has at least one. */
function pairsOf(literal: Buffer): number[] {
  if (literal.length < PAIR_BYTES) return [];
  const last = literal.length - PAIR_BYTES;
  const count = Math.ceil(last / PAIR_BYTES);
  return Array.from({ length: count + 1 }, (_, index) => literal.readDoubleLE(Math.min(PAIR_BYTES * index, last)));
}

/** The word at a place in a literal of this length, or all of the literal if it is shorter than a word. */
function shortWordAt(view: DataView, at: number, length: number): number {
  if (length >= WORD_BYTES) return view.getInt32(at, true);
  let word = 0;
  for (let index = at; index < at + length; index++) word = (word << 8) | view.getUint8(index);
  return word;
}
