import { numberText } from './exact-number.js';
import { equalTo, type Literal, type LiteralParser } from './literal.js';

const SPECIAL = /^(?:nan|[+-]?inf(?:inity)?)$/i;

/**
 * FLOAT and DOUBLE: a literal means the nearest value of the column's type, so that 0.1 finds the
 * FLOAT that prints as 0.1. NaN equals itself and is greater than all other values.
 * @param round rounds to the type's precision.
 * @param max the type's greatest finite value; a larger literal is between it and infinity.
 */
export function floatingNumberParser(
  castTo: 'FLOAT' | 'DOUBLE',
  round: (value: number) => number,
  max: number,
): LiteralParser {
  return {
    castTo,
    takes: "a number, a numeric string, 'NaN', 'Infinity' or '-Infinity'",
    parse: (literal) => {
      if (isSpecial(literal)) return equalTo(literal.text);
      const text = numberText(literal);
      if (text === undefined) return undefined;
      const value = round(Number(text));
      if (value > max) return { text: String(max), literalIs: 'above' };
      if (value < -max) return { text: String(-max), literalIs: 'below' };
      return equalTo(String(value));
    },
  };
}

function isSpecial(literal: Literal): literal is Extract<Literal, { kind: 'string' }> {
  return literal.kind === 'string' && SPECIAL.test(literal.text);
}
