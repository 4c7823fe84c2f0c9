import { readColumnName } from './column-name.js';
import { FilterSyntaxError } from './read-plan.errors.js';

/** A piece of a `filters` text. */
export interface Token {
  readonly kind: 'name' | 'keyword' | 'string' | 'number' | 'hex' | 'symbol' | 'end';
  /** What it means: a name or string without its quotes, a keyword in capitals. */
  readonly text: string;
  /** How it stands in the request. */
  readonly written: string;
  /** Where it starts, in UTF-16 code units, counted from 0. */
  readonly offset: number;
}

const KEYWORD = /^(?:AND|OR|IN|IS|NULL|LIKE|ILIKE|TRUE|FALSE)$/i;
const NOT = /^NOT$/i;

const SPACE = /\s+/y;
const STRING = /'[^']*(?:''[^']*)*'(?!')/y;
const HEX = /0[xX][0-9a-fA-F]*(?![\p{L}\p{N}_.])/uy;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_.])/uy;
const SYMBOL = /<=|>=|<>|!=|=(?!=)|[<>(),]/y;
const SIGN = /[+-]/y;

/** What SQL has and filters do not, each with the sentence that says so; the first that matches counts. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/--|\/\*/y, 'comments are not supported'],
  [/;/y, 'a statement separator is not supported'],
  [/::/y, 'casts are not supported, write the value as a string'],
  [/==/y, "'==' is not supported, use ="],
  [/!/y, "'!' is not supported, use <> or a list of IN values"],
  [/'/y, 'a string is not closed'],
  [/\.?\d/y, 'this is not a number'],
  [/[-+*/%^|&~#]/y, 'arithmetic is not supported'],
  [/\./y, 'a column name that holds a dot is written in double quotes'],
  [/[$?:@]/y, 'placeholders are not supported, write the value itself'],
];

/**
 * Cuts a `filters` text into tokens, the last of which is the end of the text.
 * @throws FilterSyntaxError at whatever cannot stand in any filter, `NOT` included.
 */
export function tokenizeFilter(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let offset = lengthAt(SPACE, text, 0);
  while (offset < text.length) {
    const token = readToken(text, offset, tokens.at(-1));
    tokens.push(token);
    offset += token.written.length;
    offset += lengthAt(SPACE, text, offset);
  }
  tokens.push({ kind: 'end', text: '', written: '', offset });
  return tokens;
}

function readToken(text: string, offset: number, previous: Token | undefined): Token {
  const token = (kind: Token['kind'], length: number, meaning?: string): Token => {
    const written = text.slice(offset, offset + length);
    return { kind, text: meaning ?? written, written, offset };
  };
  const name = readColumnName(text, offset, (reason, at) => new FilterSyntaxError(reason, at));
  if (name && text[offset] === '"') return token('name', name.end - offset, name.name);
  if (name) return readWord(token('name', name.end - offset), previous);

  const string = lengthAt(STRING, text, offset);
  if (string > 0) return token('string', string, text.slice(offset + 1, offset + string - 1).replaceAll("''", "'"));
  const hex = lengthAt(HEX, text, offset);
  if (hex > 0) return token('hex', hex);
  const number = isSignAfterValue(text, offset, previous) ? 0 : lengthAt(NUMBER, text, offset);
  if (number > 0) return token('number', number);
  const symbol = lengthAt(SYMBOL, text, offset);
  if (symbol > 0) return token('symbol', symbol);
  throw refusal(text, offset);
}

/** Tells a keyword from a name, and refuses `NOT`. */
function readWord(name: Token, previous: Token | undefined): Token {
  if (NOT.test(name.text)) {
    const instead =
      previous?.kind === 'keyword' && previous.text === 'IS'
        ? "for IS NOT NULL write a comparison that every value meets, such as name >= ''"
        : 'use <> or a list of IN values';
    throw new FilterSyntaxError(`NOT is not supported, ${instead}`, name.offset);
  }
  return KEYWORD.test(name.text) ? { ...name, kind: 'keyword', text: name.text.toUpperCase() } : name;
}

/** In `a - 1` and `1 -1` the sign is an operator; in `a = -1` it belongs to the number. */
function isSignAfterValue(text: string, offset: number, previous: Token | undefined): boolean {
  if (lengthAt(SIGN, text, offset) === 0 || previous === undefined) return false;
  if (previous.kind === 'symbol') return previous.text === ')';
  return previous.kind !== 'keyword' || previous.text === 'TRUE' || previous.text === 'FALSE';
}

function refusal(text: string, offset: number): FilterSyntaxError {
  const refused = REFUSED.find(([pattern]) => lengthAt(pattern, text, offset) > 0);
  if (refused) return new FilterSyntaxError(refused[1], offset);
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  const hint = 'a column name with special characters is written in double quotes, a text value in single quotes';
  return new FilterSyntaxError(`'${character}' is not expected, ${hint}`, offset);
}

/** Length of what the sticky pattern matches at this place, 0 if it does not match. */
function lengthAt(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0].length ?? 0;
}
