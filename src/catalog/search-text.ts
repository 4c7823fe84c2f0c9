import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The escape character of patterns, which not every database has by default. */
const ESCAPE = '\\';

/**
 * What a search looks through: texts without regard to case, kept in a column of their own because
 * databases fold case differently.
 */
export function toSearchText(...texts: readonly string[]): string {
  return fold(texts.join('\n'));
}

/** A pattern for {@link isLike} for each word of a search. */
export function toSearchPatterns(search: string): string[] {
  const words = fold(search).split(/\s+/).filter(Boolean);
  return words.map((word) => `%${word.replaceAll(/[%_\\]/g, `${ESCAPE}$&`)}%`);
}

/** The condition that a column of {@link toSearchText} matches a pattern. */
export function isLike(column: string, pattern: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape ${ESCAPE}`;
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
