import type { Literal } from '../read-plan.js';
import { numberText } from './exact-number.js';
import { equalTo, type LiteralForm } from './literal-form.js';

const SPECIAL = /^(?:nan|[+-]?inf(?:inity)?)$/i;

/**
 * FLOAT and DOUBLE: a literal means the value of the column's type that is nearest to it, so that 0.1 finds the FLOAT that
 * prints as 0.1. NaN equals itself and is greater than all other values.
 * @param round rounds to the type's precision.
 * @param max the type's greatest finite value, between which and infinity a larger literal lies.
 */
export function floatingNumberForm(
  castTo: 'FLOAT' | 'DOUBLE',
  round: (value: number) => number,
  max: number,
): LiteralForm {
  return {
    takes: "a number, a numeric string, 'NaN', 'Infinity' or '-Infinity'",
    bind: (literal) => {
      if (isSpecial(literal)) return equalTo(literal.text, castTo);
      const text = numberText(literal);
      if (text === undefined) return undefined;
      const value = round(Number(text));
      if (value > max) return { text: String(max), castTo, literalIs: 'above' };
      if (value < -max) return { text: String(-max), castTo, literalIs: 'below' };
      return equalTo(String(value), castTo);
    },
  };
}

function isSpecial(literal: Literal): literal is Extract<Literal, { kind: 'string' }> {
  return literal.kind === 'string' && SPECIAL.test(literal.text);
}
