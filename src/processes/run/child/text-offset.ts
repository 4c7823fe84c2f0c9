import { UNICODE_SPACES } from '../../../duckdb/sql-regions.js';

/** What the engine leaves as it is when it replaces spaces, by its own plain rules for quotes, and the spaces that it replaces. */
const SKIPPED_OR_SPACE = new RegExp(
  `'[^']*'?|"[^"]*"?|--[^\\r\\n]*|\\$([\\w\\x80-\\uffff]*)\\$[\\s\\S]*?(?:\\$\\1\\$|$)|[${UNICODE_SPACES}]`,
  'g',
);

/** The statement as the engine counts in it: with a space of one byte for each that it replaces. Offsets in UTF-16 stay the same. */
export function asCounted(sql: string): string {
  return sql.replace(SKIPPED_OR_SPACE, (text, tag) =>
    text.length === 1 && tag === undefined && /^[^'"]/.test(text) ? ' ' : text,
  );
}

/** Converts an offset that the engine counted in bytes of UTF-8 into UTF-16 code units, in which texts are indexed here. */
export function toTextOffset(sql: string, byteOffset: number): number {
  return Buffer.from(asCounted(sql)).subarray(0, byteOffset).toString().length;
}
