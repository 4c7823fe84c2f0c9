import { InvalidSampleError } from './read-plan.errors.js';
import type { Sample } from './read-plan.js';

const MAX_SEED_DIGITS = 40;

/**
 * Parses `sample_count` and `sample_seed`; a seed without a count has no meaning and is ignored.
 * @throws InvalidSampleError for other texts than whole numbers, or too long ones.
 */
export function parseSample(count: string | undefined, seed: string | undefined): Sample | undefined {
  if (seed !== undefined && !isSeed(seed)) {
    throw new InvalidSampleError('sample_seed', `a whole number of at most ${MAX_SEED_DIGITS} digits`, seed);
  }
  if (count === undefined) return undefined;
  if (!/^\d+$/.test(count)) throw new InvalidSampleError('sample_count', 'a whole number of at least 0', count);
  const rows = Math.min(Number(count), Number.MAX_SAFE_INTEGER);
  return seed === undefined ? { count: rows } : { count: rows, seed: BigInt(seed).toString() };
}

function isSeed(text: string): boolean {
  return /^-?\d+$/.test(text) && text.length <= MAX_SEED_DIGITS;
}
