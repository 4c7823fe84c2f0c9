import { countDecimalUnits, numberText } from './exact-number.js';
import type { LiteralForm } from './literal-form.js';
import { nearestValue, type UnitRange } from './nearest-value.js';

/** Integers of a type with bounds. */
export function wholeNumberForm(castTo: string, range: Required<UnitRange>): LiteralForm {
  return exactNumberForm(castTo, 0, range);
}

const UNBOUNDED = exactNumberForm('BIGNUM', 0, {});

/** BIGNUM: integers without bounds, whose exponents are bounded so that a few characters cannot ask for endless digits. */
export const BIGNUM_FORM: LiteralForm = {
  takes: 'a number or a numeric string, with an exponent of at most three digits',
  bind: (literal) => (/e[+-]?\d{4}/i.test(numberText(literal) ?? '') ? undefined : UNBOUNDED.bind(literal)),
};

/** DECIMAL(precision, scale). */
export function decimalForm(precision: number, scale: number): LiteralForm {
  const max = 10n ** BigInt(precision) - 1n;
  return exactNumberForm(`DECIMAL(${precision},${scale})`, scale, { min: -max, max });
}

/** Integers of a number of bits, from 0 or from half of them below 0. */
export function bitRange(bits: bigint, isSigned: boolean): Required<UnitRange> {
  return isSigned ? { min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n } : { min: 0n, max: 2n ** bits - 1n };
}

function exactNumberForm(castTo: string, scale: number, range: UnitRange): LiteralForm {
  return {
    takes: 'a number or a numeric string',
    bind: (literal) => {
      const text = numberText(literal);
      if (text === undefined) return undefined;
      const { units, literalIs } = nearestValue(countDecimalUnits(text, scale), range);
      return { text: toDecimalText(units, scale), castTo, literalIs };
    },
  };
}

function toDecimalText(units: bigint, scale: number): string {
  if (scale === 0) return units.toString();
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
