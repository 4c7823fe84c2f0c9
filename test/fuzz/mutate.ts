/** Returns a number from 0 to below 1. */
export type Random = () => number;

/** Repeatable random numbers of a seed (mulberry32, a public domain generator). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 to below `end`. */
export function below(end: number, random: Random): number {
  return Math.floor(random() * end);
}

/** One of the items, of which there is at least one. */
export function pick<T>(items: readonly T[], random: Random): T {
  return items[below(items.length, random)] as T;
}

const MAX_MUTATIONS = 4;
const MAX_BYTES = 3_000;
/** Bytes at which parsers of text change their state. */
const SPECIAL_BYTES = Buffer.from('\0\t\n\r "\',:;\\{}[]()0-.eE\x7f\x80\xbf\xc3\xef\xff', 'latin1');

/**
 * Returns a changed copy of an input: bytes changed, deleted, repeated, replaced by a word or by a
 * span of another input.
 *
 * @param others inputs of the same parser, at least one.
 */
export function mutate(input: Buffer, others: readonly Buffer[], words: readonly string[], random: Random): Buffer {
  let mutated: Buffer = input;
  for (let count = 1 + below(MAX_MUTATIONS, random); count > 0; count--) {
    const start = below(mutated.length + 1, random);
    const end = Math.min(mutated.length, start + below(pick([2, 8, 64], random), random));
    mutated = Buffer.concat([mutated.subarray(0, start), insertion(), mutated.subarray(end)]).subarray(0, MAX_BYTES);

    function insertion(): Buffer {
      const span = mutated.subarray(start, end);
      const other = pick(others, random);
      const from = below(other.length, random);
      return pick<() => Buffer>(
        [
          () => Buffer.alloc(0),
          () => Buffer.from([pick([...SPECIAL_BYTES], random)]),
          () => Buffer.from([below(256, random)]),
          () => Buffer.from(pick(words, random)),
          () => Buffer.concat(Array.from({ length: pick([2, 3, 200], random) }, () => span)),
          () => other.subarray(from, from + below(100, random)),
        ],
        random,
      )();
    }
  }
  return mutated;
}

/** Cuts an input into chunks at random offsets. */
export function cut(input: Buffer, random: Random): Buffer[] {
  const chunks: Buffer[] = [];
  for (let start = 0; start < input.length; ) {
    const end = start + 1 + below(pick([1, 4, 40], random), random);
    // A copy: parsers may overwrite the bytes of a chunk.
    chunks.push(Buffer.from(input.subarray(start, end)));
    start = end;
  }
  return chunks;
}
