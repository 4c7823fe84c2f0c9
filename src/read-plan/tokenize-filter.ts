import { readColumnName } from './column-name.js';
import { matchAt, skipSpace } from './match-at.js';
import { FilterSyntaxError } from './read-plan.errors.js';

/** A word or sign of a `filters` text. */
export interface Token {
  readonly kind: 'name' | 'keyword' | 'string' | 'number' | 'hex' | 'symbol' | 'end';
  /** What it means: a name or string without its quotes, a keyword in capitals. */
  readonly text: string;
  /** Its text in the request. */
  readonly written: string;
  /** Its start, in UTF-16 code units, from 0. */
  readonly offset: number;
}

const KEYWORD = /^(?:AND|OR|IN|IS|NULL|LIKE|ILIKE|TRUE|FALSE)$/i;
const NOT = /^NOT$/i;

const STRING = /'[^']*(?:''[^']*)*'(?!')/y;
const HEX = /0[xX][0-9a-fA-F]*(?![\p{L}\p{N}_.])/uy;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_.])/uy;
const SYMBOL = /<=|>=|<>|!=|=(?!=)|[<>(),]/y;
const SIGN = /[+-]/y;

/** What SQL has and filters do not, each with its error; the first that matches counts. */
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
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
 * @throws FilterSyntaxError at what no filter may contain, `NOT` included.
 */
export function tokenizeFilter(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let offset = skipSpace(text, 0);
  while (offset < text.length) {
    const token = readToken(text, offset, tokens.at(-1));
    tokens.push(token);
    offset = skipSpace(text, offset + token.written.length);
  }
  tokens.push({ kind: 'end', text: '', written: '', offset });
  return tokens;
}

function readToken(text: string, offset: number, previous: Token | undefined): Token {
  const name = readColumnName(text, offset, (reason, at) => new FilterSyntaxError(reason, at));
  if (name) {
    const word = { kind: 'name', text: name.name, written: text.slice(offset, name.end), offset } as const;
    return text[offset] === '"' ? word : readWord(word, previous);
  }

  const token = (kind: Token['kind'], written: string, meaning = written) => ({ kind, text: meaning, written, offset });
  const string = matchAt(STRING, text, offset);
  if (string) return token('string', string, string.slice(1, -1).replaceAll("''", "'"));
  const hex = matchAt(HEX, text, offset);
  if (hex) return token('hex', hex);
  const number = isSignAfterValue(text, offset, previous) ? '' : matchAt(NUMBER, text, offset);
  if (number) return token('number', number);
  const symbol = matchAt(SYMBOL, text, offset);
  if (symbol) return token('symbol', symbol);
  throw unexpectedAt(text, offset);
}

/** Finds the keywords among names, and refuses `NOT`. */
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
  if (matchAt(SIGN, text, offset) === '' || previous === undefined) return false;
  if (previous.kind === 'symbol') return previous.text === ')';
  return previous.kind !== 'keyword' || previous.text === 'TRUE' || previous.text === 'FALSE';
}

function unexpectedAt(text: string, offset: number): FilterSyntaxError {
  const refused = UNSUPPORTED.find(([pattern]) => matchAt(pattern, text, offset) !== '');
  if (refused) return new FilterSyntaxError(refused[1], offset);
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  const hint = 'a column name with special characters is written in double quotes, a text value in single quotes';
  return new FilterSyntaxError(`'${character}' is not expected, ${hint}`, offset);
}
