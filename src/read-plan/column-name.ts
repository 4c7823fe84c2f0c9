import type { DomainError } from '../http/domain-error.js';
import { matchAt } from './match-at.js';

/** A column name read from a parameter's text, and the offset after it. */
export interface ColumnName {
  readonly name: string;
  readonly end: number;
}

/** Makes the syntax error of the parameter that is being parsed. */
export type ErrorAt = (reason: string, offset: number) => DomainError;

const BARE_NAME = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;

/**
 * Reads the column name at `start`: in double quotes, or bare (letters of any script, digits, `_`,
 * not starting with a digit). Returns nothing if there is no name.
 *
 * Inside the quotes `""` is a quote, and so is `\"`. A backslash of the name itself is doubled
 * before a quote and at the end; elsewhere a backslash is an ordinary character.
 */
export function readColumnName(text: string, start: number, errorAt: ErrorAt): ColumnName | undefined {
  if (text[start] === '"') return readQuotedName(text, start, errorAt);
  const name = matchAt(BARE_NAME, text, start);
  return name === '' ? undefined : { name, end: start + name.length };
}

const QUOTED_PART = /[^"\\]+|""|\\+"?/y;

function readQuotedName(text: string, start: number, errorAt: ErrorAt): ColumnName {
  let name = '';
  let end = start + 1;
  for (;;) {
    const part = matchAt(QUOTED_PART, text, end);
    if (part === '') break;
    const { meaning, length } = readPart(part);
    name += meaning;
    end += length;
  }
  if (text[end] !== '"') throw errorAt('a column name in double quotes is not closed', start);
  if (name === '') throw errorAt('a column name is empty', start);
  return { name, end: end + 1 };
}

/** Before a quote, two backslashes are one, and a last single one escapes the quote. */
function readPart(part: string): { meaning: string; length: number } {
  if (part === '""') return { meaning: '"', length: 2 };
  if (!part.startsWith('\\') || !part.endsWith('"')) return { meaning: part, length: part.length };
  const backslashes = part.length - 1;
  const kept = '\\'.repeat(Math.floor(backslashes / 2));
  return backslashes % 2 === 1 ? { meaning: `${kept}"`, length: part.length } : { meaning: kept, length: backslashes };
}
