import { mutate, pick, type Random, randomOf } from './mutate.js';

/** A parser under test. */
export interface FuzzTarget {
  readonly name: string;
  /** Inputs to begin with. */
  readonly seeds: readonly string[];
  /** Texts that mean something to the parser. */
  readonly words: readonly string[];
  /** Runs of the test suite, by what one costs; `npm run fuzz` runs for a time instead. */
  readonly runs: number;
  /**
   * Parses an input. Throws if the parser is wrong about it.
   *
   * @returns what the parser did, in few words: an input with a new answer becomes one to mutate.
   */
  check(input: Buffer, random: Random): string | Promise<string>;
}

/** An input about which a parser is wrong, as small as it was made. */
export interface FuzzFailure {
  readonly input: Buffer;
  readonly error: unknown;
}

/** How long to look for failures: a number of runs, or a time. */
export type FuzzLimit = { readonly runs: number } | { readonly seconds: number };

/** Checks mutated inputs until the limit or the first failure. */
export async function fuzz(target: FuzzTarget, seed: number, limit: FuzzLimit): Promise<FuzzFailure | undefined> {
  const random = randomOf(seed);
  const corpus: Buffer[] = target.seeds.map((text) => Buffer.from(text));
  const answers = new Set<string>();
  const isOver = stopAfter(limit);
  for (let run = 0; !isOver(run); run++) {
    const input = run < target.seeds.length ? corpus[run] : undefined;
    const tried = input ?? mutate(pick(corpus, random), corpus, target.words, random);
    try {
      const answer = await target.check(tried, random);
      if (!answers.has(answer)) corpus.push(tried);
      answers.add(answer);
    } catch (error) {
      return shrink(target, tried, error, random);
    }
  }
  return undefined;
}

function stopAfter(limit: FuzzLimit): (run: number) => boolean {
  if ('runs' in limit) return (run) => run >= limit.runs;
  const end = Date.now() + limit.seconds * 1000;
  return () => Date.now() >= end;
}

/** Removes spans of a failing input for as long as it fails. */
async function shrink(target: FuzzTarget, input: Buffer, error: unknown, random: Random): Promise<FuzzFailure> {
  let smallest: FuzzFailure = { input, error };
  for (let size = input.length >> 1; size > 0; size >>= 1) {
    for (let start = 0; start + size <= smallest.input.length; ) {
      const shorter = Buffer.concat([smallest.input.subarray(0, start), smallest.input.subarray(start + size)]);
      try {
        await target.check(shorter, random);
        start += size;
      } catch (next) {
        smallest = { input: shorter, error: next };
      }
    }
  }
  return smallest;
}
