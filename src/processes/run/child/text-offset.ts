import { UNICODE_SPACES } from '../../../duckdb/sql-regions.js';

/** Text in which the engine replaces no spaces, by its own rules for quotes; and the spaces. */
const SKIPPED_OR_SPACE = new RegExp(
  `'[^']*'?|"[^"]*"?|--[^\\r\\n]*|\\$([\\w\\x80-\\uffff]*)\\$[\\s\\S]*?(?:\\$\\1\\$|$)|[${UNICODE_SPACES}]`,
  'g',
);

/**
 * The statement with a space of one byte for each that the engine replaces. Its UTF-16 offsets are
 * the same.
 */
export function asCounted(sql: string): string {
  return sql.replace(SKIPPED_OR_SPACE, (text, tag) =>
    text.length === 1 && tag === undefined && /^[^'"]/.test(text) ? ' ' : text,
  );
}

/** Converts an offset in bytes of UTF-8, as the engine reports it, to one in UTF-16 code units. */
export function toTextOffset(sql: string, byteOffset: number): number {
  return Buffer.from(asCounted(sql)).subarray(0, byteOffset).toString().length;
}
