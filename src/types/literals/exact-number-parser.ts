import { countDecimalUnits, numberText } from './exact-number.js';
import type { LiteralParser } from './literal.js';
import { nearestValue, type UnitRange } from './nearest-value.js';

/** Integers of a number of bits. */
export function integerParser(castTo: string, bits: number, isSigned: boolean): LiteralParser {
  const max = 2n ** BigInt(isSigned ? bits - 1 : bits) - 1n;
  return exactNumberParser(castTo, 0, { min: isSigned ? -max - 1n : 0n, max });
}

const UNBOUNDED = exactNumberParser('BIGNUM', 0, {});

/** BIGNUM. Exponents are bounded, so that a few characters cannot ask for endless digits. */
export const BIGNUM_PARSER: LiteralParser = {
  castTo: 'BIGNUM',
  takes: 'a number or a numeric string, with an exponent of at most three digits',
  parse: (literal) => (/e[+-]?\d{4}/i.test(numberText(literal) ?? '') ? undefined : UNBOUNDED.parse(literal)),
};

/** DECIMAL(precision, scale). */
export function decimalParser(precision: number, scale: number): LiteralParser {
  const max = 10n ** BigInt(precision) - 1n;
  return exactNumberParser(`DECIMAL(${precision},${scale})`, scale, { min: -max, max });
}

function exactNumberParser(castTo: string, scale: number, range: UnitRange): LiteralParser {
  return {
    castTo,
    takes: 'a number or a numeric string',
    parse: (literal) => {
      const text = numberText(literal);
      if (text === undefined) return undefined;
      const { units, literalIs } = nearestValue(countDecimalUnits(text, scale), range);
      return { text: toDecimalText(units, scale), literalIs };
    },
  };
}

function toDecimalText(units: bigint, scale: number): string {
  if (scale === 0) return units.toString();
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
