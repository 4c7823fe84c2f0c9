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

/**
 * The form of a line: what stands around its values. Lines that a program writes have few forms, so that most of them can be checked by
 * comparing them to one before, some ten times faster than token by token.
 *
 * What stands before a value, and behind the last one up to the end of the line, is a literal. Literals are compared four bytes at a time,
 * and lie in flat arrays, as this is the inner loop of every insert.
 */
export class LineTemplate {
  readonly #values: readonly FastValue[];
  /** The literals' words one after the other, but for what is left over when a literal is cut into words. */
  readonly #words: Int32Array;
  readonly #wordCounts: Int32Array;
  readonly #lengths: Int32Array;
  /** The last word of each literal, which may overlap the one before, or its bytes if it has less than a word. */
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
    this.#words = Int32Array.from(literals.flatMap(wordsOf));
    this.#wordCounts = Int32Array.from(literals, ({ length }) => Math.floor(length / WORD_BYTES));
    this.#lengths = Int32Array.from(literals, ({ length }) => length);
    this.#lastWords = Int32Array.from(literals, lastWordOf);
  }

  /**
   * The place behind a line of this form with values that surely fit; -1 for every other line, which need not be wrong. Its line feed must
   * lie {@link LOOK_AHEAD_BYTES} before the end of the bytes.
   */
  match(bytes: Buffer, view: DataView, start: number): number {
    const values = this.#values;
    const words = this.#words;
    let at = start;
    for (let index = 0, word = 0; ; index++) {
      const length = this.#lengths[index] as number;
      const end = at + length;
      for (const wordEnd = word + (this.#wordCounts[index] as number); word < wordEnd; word++, at += WORD_BYTES)
        if (view.getInt32(at, true) !== words[word]) return -1;
      if (lastWordAt(view, end, length) !== this.#lastWords[index]) return -1;
      if (index === values.length) return end;
      at = matchValue(values[index] as FastValue, bytes, view, end);
      if (at < 0) return -1;
    }
  }
}

function wordsOf(literal: Buffer): number[] {
  return Array.from({ length: Math.floor(literal.length / WORD_BYTES) }, (_, index) =>
    literal.readInt32LE(WORD_BYTES * index),
  );
}

function lastWordOf(literal: Buffer): number {
  return lastWordAt(new DataView(literal.buffer, literal.byteOffset, literal.length), literal.length, literal.length);
}

/** The last word of a literal that ends at a place; all of it if it is shorter. */
function lastWordAt(view: DataView, end: number, length: number): number {
  if (length >= WORD_BYTES) return view.getInt32(end - WORD_BYTES, true);
  let word = 0;
  for (let at = end - length; at < end; at++) word = (word << 8) | view.getUint8(at);
  return word;
}
