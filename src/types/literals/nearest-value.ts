import type { ParsedLiteral } from './literal.js';

/** The values of a type, in its smallest unit, from `min` to `max`. Absent means unbounded. */
export interface UnitRange {
  readonly min?: bigint;
  readonly max?: bigint;
}

/** A literal counted in units: the whole units, and whether nothing remains. */
export interface UnitCount {
  readonly floor: bigint;
  readonly isWhole: boolean;
}

/**
 * The value of the range that is equal or nearest to the literal. Comparing with the nearest value
 * gives the result of comparing with the literal itself, so that no wider type is needed.
 */
export function nearestValue(
  { floor, isWhole }: UnitCount,
  { min, max }: UnitRange,
): { units: bigint; literalIs: ParsedLiteral['literalIs'] } {
  if (min !== undefined && floor < min) return { units: min, literalIs: 'below' };
  if (max !== undefined && floor > max) return { units: max, literalIs: 'above' };
  return { units: floor, literalIs: isWhole ? 'equal' : 'above' };
}

/** Converts an amount to units of `unit`. */
export function countUnits(amount: bigint, unit: bigint): UnitCount {
  const remainder = ((amount % unit) + unit) % unit;
  return { floor: (amount - remainder) / unit, isWhole: remainder === 0n };
}
