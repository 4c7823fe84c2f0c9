import { setFlagsFromString } from 'node:v8';
import { compileFunction } from 'node:vm';
import { type FastValue, MATCHERS, toMatchSource } from './fast-value.js';
import { WORD_BYTES } from './four-bytes.js';

/** A value of a line, by its place. */
export interface ValuePlace {
  readonly start: number;
  readonly end: number;
  readonly value: FastValue;
}

/** How far behind the line feed of a line {@link LineTemplate.match} may look. */
export const LOOK_AHEAD_BYTES = 8;

/** The place behind what it matches, or -1. */
type Match = (bytes: Buffer, view: DataView, start: number) => number;

/** Values that one function matches: very long ones are never compiled well. */
const VALUES_IN_A_FUNCTION = 32;

/**
 * The form of a line: what stands around its values. Lines that a program writes have few forms, so that most of them can be checked by
 * comparing them to one before, some twenty times faster than token by token.
 *
 * What stands before a value, and behind the last one up to the end of the line, is a literal. As this is the inner loop of every insert, each
 * form is a function made for it, in whose source the literals are numbers: twice as fast as a loop over a description of them
 * (`docs/decisions/0016-compiled-forms-of-lines.md`). Nothing else of a text comes into that source.
 */
export class LineTemplate {
  readonly #matches: readonly Match[];

  /**
   * @param literals of a line that was checked token by token, one more than values.
   * @param values what stands between them.
   */
  constructor(literals: readonly Buffer[], values: readonly FastValue[]) {
    const steps = literals.map((literal, index) => {
      const value = values[index];
      return toLiteralSource(literal) + (value ? toMatchSource(value, `values[${index}]`) : '');
    });
    const functions = Math.ceil(steps.length / VALUES_IN_A_FUNCTION);
    this.#matches = Array.from({ length: functions }, (_, index) => {
      const some = steps.slice(index * VALUES_IN_A_FUNCTION, (index + 1) * VALUES_IN_A_FUNCTION);
      return compile(some, values);
    });
  }

  /**
   * The place behind a line of this form with values that surely fit; -1 for every other line, which need not be wrong. Its line feed must
   * lie {@link LOOK_AHEAD_BYTES} before the end of the bytes.
   */
  match(bytes: Buffer, view: DataView, start: number): number {
    let at = start;
    for (const match of this.#matches) {
      at = match(bytes, view, at);
      if (at < 0) return -1;
    }
    return at;
  }
}

/** What stands around the values of a line that lies between `start` and `end`, its line feed included. */
export function literalsOf(bytes: Buffer, start: number, end: number, places: readonly ValuePlace[]): Buffer[] {
  const bounds = [start, ...places.flatMap((place) => [place.start, place.end]), end];
  return Array.from({ length: places.length + 1 }, (_, index) =>
    bytes.subarray(bounds[2 * index], bounds[2 * index + 1]),
  );
}

function compile(steps: readonly string[], values: readonly FastValue[]): Match {
  const names = Object.keys(MATCHERS).join(', ');
  const source = `
    const { ${names} } = matchers;
    return (bytes, view, start) => {
      let at = start, end = 0;
      ${steps.join('\n')}
      return at;
    };`;
  // The loop calls many small functions, which are compiled as one only with more room than is usual.
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=4000');
  return compileFunction(source, ['matchers', 'values'])(MATCHERS, values) as Match;
}

/** Source that moves `at` behind a literal, and returns -1 if it does not stand there. The last word may overlap the one before. */
function toLiteralSource(literal: Buffer): string {
  const { length } = literal;
  if (length === 0) return '';
  const conditions: string[] = [];
  if (length < WORD_BYTES) {
    for (const [index, byte] of literal.entries()) conditions.push(`bytes[at + ${index}] !== ${byte}`);
  } else {
    for (let at = 0; at < length; at += WORD_BYTES) {
      const place = Math.min(at, length - WORD_BYTES);
      conditions.push(`view.getInt32(at + ${place}, true) !== ${literal.readInt32LE(place)}`);
    }
  }
  return `if (${conditions.join(' || ')}) return -1; at += ${length};`;
}
