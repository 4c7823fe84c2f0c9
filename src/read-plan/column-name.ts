import type { DomainError } from '../http/domain-error.js';

/** A column name read from a parameter's text, and where the text after it begins. */
export interface ColumnName {
  readonly name: string;
  readonly end: number;
}

/** Makes the syntax error of the parameter that is being parsed. */
export type ErrorAt = (reason: string, offset: number) => DomainError;

const BARE_NAME = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;

/**
 * Reads the column name that starts at `start`: bare (letters of any script, digits, `_`, not starting with a digit) or in
 * double quotes. Returns nothing if no name starts there.
 *
 * Inside the quotes `""` stands for a quote, and so does `\"`. A name that itself has a backslash before a quote or at its
 * end is written with that backslash doubled; elsewhere a backslash is an ordinary character.
 */
export function readColumnName(text: string, start: number, errorAt: ErrorAt): ColumnName | undefined {
  if (text[start] === '"') return readQuotedName(text, start, errorAt);
  BARE_NAME.lastIndex = start;
  const name = BARE_NAME.exec(text)?.[0];
  return name === undefined ? undefined : { name, end: start + name.length };
}

const QUOTED_PART = /[^"\\]+|""|\\+"?/y;

function readQuotedName(text: string, start: number, errorAt: ErrorAt): ColumnName {
  let name = '';
  let end = start + 1;
  for (;;) {
    QUOTED_PART.lastIndex = end;
    const part = QUOTED_PART.exec(text)?.[0];
    if (part === undefined) break;
    const { meaning, length } = readPart(part);
    name += meaning;
    end += length;
  }
  if (text[end] !== '"') throw errorAt('a column name in double quotes is not closed', start);
  if (name === '') throw errorAt('a column name is empty', start);
  return { name, end: end + 1 };
}

/** Before a quote, two backslashes stand for one, and a last single one makes the quote part of the name. */
function readPart(part: string): { meaning: string; length: number } {
  if (part === '""') return { meaning: '"', length: 2 };
  if (!part.startsWith('\\') || !part.endsWith('"')) return { meaning: part, length: part.length };
  const backslashes = part.length - 1;
  const kept = '\\'.repeat(Math.floor(backslashes / 2));
  return backslashes % 2 === 1 ? { meaning: `${kept}"`, length: part.length } : { meaning: kept, length: backslashes };
}
