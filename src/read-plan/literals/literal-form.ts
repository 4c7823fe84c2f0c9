import type { BoundValue, Literal } from '../read-plan.js';

/** Which literals the columns of one type take. */
export interface LiteralForm {
  /** Completes the sentence "the column takes …". */
  readonly takes: string;
  /** The literal as a value of the type; nothing if the type does not take it. */
  readonly bind: (literal: Literal) => BoundValue | undefined;
}

/** A value that stands for the literal exactly. */
export function equalTo(text: string, castTo: string): BoundValue {
  return { text, castTo, literalIs: 'equal' };
}

/** A form for types whose literals are strings. */
export function stringForm(takes: string, bind: (text: string) => BoundValue | undefined): LiteralForm {
  return { takes, bind: (literal) => (literal.kind === 'string' ? bind(literal.text) : undefined) };
}
