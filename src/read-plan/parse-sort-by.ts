import { excerpt } from '../http/excerpt.js';
import { readColumnName } from './column-name.js';
import { matchAt, skipSpace } from './match-at.js';
import { SortSyntaxError } from './read-plan.errors.js';
import type { SortKey } from './read-plan.js';

const WORD = /[^\s,]+/y;

/**
 * Parses a `sort_by` text; `asc` and `desc` may be in any case, and `asc` is the default:
 *
 *     sort_by   = criterion { "," criterion }
 *     criterion = column [ asc | desc ]
 *     column    = as in a filter
 *
 * @throws SortSyntaxError with an offset.
 */
export function parseSortBy(text: string): readonly SortKey<string>[] {
  const keys: SortKey<string>[] = [];
  let offset = 0;
  do {
    const column = readColumnName(text, skipSpace(text, offset), (reason, at) => new SortSyntaxError(reason, at));
    if (column === undefined) throw unexpected('a column name', text, skipSpace(text, offset));
    const afterName = skipSpace(text, column.end);
    const word = matchAt(WORD, text, afterName);
    keys.push({ column: column.name, direction: toDirection(word, text, afterName) });
    offset = skipSpace(text, afterName + word.length);
  } while (text[offset++] === ',');
  if (offset <= text.length) throw unexpected('a comma or the end of the text', text, offset - 1);
  return keys;
}

function toDirection(word: string, text: string, offset: number): 'ASC' | 'DESC' {
  if (word === '' || /^asc$/i.test(word)) return 'ASC';
  if (/^desc$/i.test(word)) return 'DESC';
  throw unexpected('asc, desc, a comma or the end of the text', text, offset);
}

function unexpected(expected: string, text: string, offset: number): SortSyntaxError {
  const word = matchAt(WORD, text, offset);
  if (/^nulls$/i.test(word)) return new SortSyntaxError('NULLs always sort last, leave NULLS out', offset);
  const got = offset >= text.length ? 'the end of the text' : `'${excerpt(word || ',')}'`;
  return new SortSyntaxError(`expected ${expected}, got ${got}`, offset);
}
