import { readColumnName } from './column-name.js';
import { ColumnsSyntaxError } from './read-plan.errors.js';

const SPACE = /\s*/y;
const BARE = /[^",]+/y;

/**
 * Parses a `columns` text: names separated by commas, with spaces around them ignored. A name in double quotes may hold
 * anything, as in a filter; without quotes it is all the text up to the next comma.
 * @throws ColumnsSyntaxError with the place of the problem.
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
  BARE.lastIndex = start;
  const bare = BARE.exec(text)?.[0] ?? '';
  if (bare.trim() === '') throw new ColumnsSyntaxError('expected a column name', start);
  return { name: bare.trim(), end: start + bare.length };
}

function skipSpace(text: string, offset: number): number {
  SPACE.lastIndex = offset;
  return offset + (SPACE.exec(text)?.[0].length ?? 0);
}
