import type { BoundValue } from '../read-plan.js';

/** The values of a type, counted in its smallest unit: every whole number from `min` to `max`. Absent means unbounded. */
export interface UnitRange {
  readonly min?: bigint;
  readonly max?: bigint;
}

/** A literal counted in units: the whole units below it, and whether that is all of it. */
export interface UnitCount {
  readonly floor: bigint;
  readonly isWhole: boolean;
}

/**
 * The value of the range that the literal is, or else the one next to it. Comparing with that neighbour gives what
 * comparing with the literal itself would, so that a literal out of range or between two values needs no wider type.
 */
export function nearestValue(
  { floor, isWhole }: UnitCount,
  { min, max }: UnitRange,
): { units: bigint; literalIs: BoundValue['literalIs'] } {
  if (min !== undefined && floor < min) return { units: min, literalIs: 'below' };
  if (max !== undefined && floor > max) return { units: max, literalIs: 'above' };
  return { units: floor, literalIs: isWhole ? 'equal' : 'above' };
}

/** Counts in units of `unit` what was counted in ones. */
export function countUnits(amount: bigint, unit: bigint): UnitCount {
  const remainder = ((amount % unit) + unit) % unit;
  return { floor: (amount - remainder) / unit, isWhole: remainder === 0n };
}
