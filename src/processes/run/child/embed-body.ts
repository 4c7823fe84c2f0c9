import type { Sql } from '../../../duckdb/sql.js';
import type { GatedStatement } from './gate/statement-gate.js';
import { StatementError } from './statement-error.js';

/** A query around a statement: `before` ends where the parenthesis around the statement opens. */
export interface EmbeddedStatement {
  readonly before: string;
  readonly statement: GatedStatement;
  readonly after: string;
}

/**
 * Runs a query that has a statement inside it, on lines of its own.
 *
 * @throws StatementError whose place, if it has one, is counted in the author's text.
 */
export async function embedBody<T>(
  { before, statement, after }: EmbeddedStatement,
  use: (query: Sql) => Promise<T>,
): Promise<T> {
  const opening = `${before}(\n`;
  try {
    return await use({ text: `${opening}${statement.body}\n) ${after}`, values: statement.values });
  } catch (cause) {
    const { type, message, byteOffset } = StatementError.from(cause);
    throw new StatementError(type, message, placeInText(byteOffset, opening, statement));
  }
}

function placeInText(
  byteOffset: number | undefined,
  opening: string,
  { body, bodyByteOffset }: GatedStatement,
): number | undefined {
  if (byteOffset === undefined) return undefined;
  const place = byteOffset - Buffer.byteLength(opening);
  return place >= 0 && place <= Buffer.byteLength(body) ? bodyByteOffset + place : undefined;
}
