import type { Literal } from '../read-plan.js';
import { countUnits, type UnitCount } from './nearest-value.js';

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** Past this many digits a number is beyond every bounded type, or closer to zero than any value but zero. */
const MAX_SHIFT = 20_000;

/** The digits of a number literal, or of a string that holds a number; nothing for any other literal. */
export function numberText(literal: Literal): string | undefined {
  if (literal.kind !== 'number' && literal.kind !== 'string') return undefined;
  return /\d/.test(literal.text.split(/e/i)[0] ?? '') && NUMBER.test(literal.text) ? literal.text : undefined;
}

/** Counts a number in units of 10^-scale, without a detour through floating point. */
export function countDecimalUnits(text: string, scale: number): UnitCount {
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  const magnitude = BigInt(`0${whole}${fraction}`);
  const digits = sign === '-' ? -magnitude : magnitude;
  const shift = Number(exponent) - fraction.length + scale;
  const power = 10n ** BigInt(Math.min(Math.abs(shift), MAX_SHIFT));
  return shift >= 0 ? { floor: digits * power, isWhole: true } : countUnits(digits, power);
}
