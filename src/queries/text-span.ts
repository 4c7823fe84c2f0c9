import { WORD_CHARACTER } from '../duckdb/sql-regions.js';

/** Part of a SQL text, in a form that its author can find. */
export interface TextSpan {
  /** Line of its first character, from 1. */
  readonly line: number;
  /** Its first character in that line, from 1. */
  readonly column: number;
  /** Its first character in the text, from 0, counted in UTF-16 code units. */
  readonly offset: number;
  /** In UTF-16 code units; 0 at the end of the text. */
  readonly length: number;
  /** The parameter whose placeholder it is. */
  readonly parameter?: string;
}

/** A literal, a quoted name (to the end if not closed), a word, a number, or any character. */
const TOKEN = new RegExp(
  [
    /[eE]'(?:[^'\\]|\\[\s\S]|'')*'?/.source,
    /'(?:[^']|'')*'?/.source,
    /"(?:[^"]|"")*"?/.source,
    /\d[\w.]*/.source,
    `${WORD_CHARACTER}(?:\\$|${WORD_CHARACTER})*`,
    /[\ud800-\udbff][\udc00-\udfff]|[\s\S]/.source,
  ].join('|'),
  'y',
);

/** How long the token is that begins at an offset of a SQL text. */
export function tokenLengthAt(sql: string, offset: number): number {
  TOKEN.lastIndex = offset;
  return TOKEN.exec(sql)?.[0].length ?? 0;
}

/** Line and column of an offset, counted in characters. */
export function lineAndColumnAt(text: string, offset: number): Pick<TextSpan, 'line' | 'column'> {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
}
