/** A value as the author of a filter wrote it. */
export type Literal =
  /** `'it''s'`, without its quotes: `it's`. */
  | { readonly kind: 'string'; readonly text: string }
  /** `-1.5e3`, as written: a JavaScript number would lose digits. */
  | { readonly kind: 'number'; readonly text: string }
  /** `0xC0FFEE`, as written. */
  | { readonly kind: 'hex'; readonly text: string }
  | { readonly kind: 'boolean'; readonly isTrue: boolean };

/**
 * A literal as a value of its column's type. Where the type has no such value (5.5 among integers,
 * a number out of range), it is the nearest value, and `literalIs` is the side on which the literal
 * is.
 */
export interface ParsedLiteral {
  /** The value in the engine's notation. */
  readonly text: string;
  readonly literalIs: 'equal' | 'above' | 'below';
}

/** How the values of a type are compared, and which literals they are compared with. */
export interface LiteralParser {
  /** The engine's type that values and literals are compared in. Columns of VARCHAR take `LIKE`. */
  readonly castTo: string;
  /** Completes the sentence "the column takes …". */
  readonly takes: string;
  /** Returns nothing if the type does not take the literal. */
  readonly parse: (literal: Literal) => ParsedLiteral | undefined;
}

/** The value that is equal to the literal. */
export function equalTo(text: string): ParsedLiteral {
  return { text, literalIs: 'equal' };
}

/** A parser for a type whose literals are strings. */
export function stringParser(
  castTo: string,
  takes: string,
  parse: (text: string) => ParsedLiteral | undefined,
): LiteralParser {
  return { castTo, takes, parse: (literal) => (literal.kind === 'string' ? parse(literal.text) : undefined) };
}
