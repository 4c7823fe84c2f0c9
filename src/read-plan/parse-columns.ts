import { readColumnName } from './column-name.js';
import { matchAt, skipSpace } from './match-at.js';
import { ColumnsSyntaxError } from './read-plan.errors.js';

const BARE = /[^",]+/y;

/**
 * Parses a `columns` text: names separated by commas, without the spaces around them. A name in
 * double quotes is as in a filter; without quotes it is all the text before the next comma.
 * @throws ColumnsSyntaxError with an offset.
 */
export function parseColumns(text: string): readonly string[] {
  const names: string[] = [];
  let offset = 0;
  do {
    const start = skipSpace(text, offset);
    const { name, end } = readName(text, start);
    names.push(name);
    offset = skipSpace(text, end);
  } while (text[offset++] === ',');
  if (offset <= text.length) throw new ColumnsSyntaxError('expected a comma or the end of the text', offset - 1);
  return names;
}

function readName(text: string, start: number): { name: string; end: number } {
  if (text[start] === '"') {
    const quoted = readColumnName(text, start, (reason, at) => new ColumnsSyntaxError(reason, at));
    if (quoted) return quoted;
  }
  const bare = matchAt(BARE, text, start);
  if (bare.trim() === '') throw new ColumnsSyntaxError('expected a column name', start);
  return { name: bare.trim(), end: start + bare.length };
}
