import type { Literal } from './literal.js';
import { countUnits, type UnitCount } from './nearest-value.js';

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** A number with so many zeros at its end is beyond every type with bounds. */
const MAX_ZEROS = 1000;

/** The text of a number literal or numeric string; nothing for any other literal. */
export function numberText(literal: Literal): string | undefined {
  if (literal.kind !== 'number' && literal.kind !== 'string') return undefined;
  return /\d/.test(literal.text.split(/e/i)[0] ?? '') && NUMBER.test(literal.text) ? literal.text : undefined;
}

/**
 * Counts a number in units of 10^-scale, exactly. A number that ends in more than 1000 zeros counts
 * as if it ended in 1000.
 */
export function countDecimalUnits(text: string, scale: number): UnitCount {
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  const magnitude = BigInt(`0${whole}${fraction}`);
  const digits = sign === '-' ? -magnitude : magnitude;
  const shift = Number(exponent) - fraction.length + scale;
  if (shift >= 0) return { floor: digits * 10n ** BigInt(Math.min(shift, MAX_ZEROS)), isWhole: true };
  // Shifted by all of its digits, a number is between -1 and 1: further shifts change no count.
  const moved = Math.min(-shift, whole.length + fraction.length);
  return countUnits(digits, 10n ** BigInt(moved));
}
