import type { Connection } from '../../../../../duckdb/engine/engine.js';
import { bind, sql } from '../../../../../duckdb/sql.js';
import { RefusedStatementError } from './refused-statement-error.js';
import type { SyntaxNode } from './syntax-tree.js';

/** What `json_serialize_sql` answers: numbers in an error are text. */
interface Serialized {
  readonly error: boolean;
  readonly error_type?: string;
  readonly error_message?: string;
  readonly position?: string;
  readonly statements?: readonly SyntaxNode[];
}

/**
 * Parses a text into the engine's own syntax trees, one a statement, without binding or running anything. The engine
 * serializes SELECT-like statements only (also VALUES, DESCRIBE and the like); anything else, PRAGMA included, is refused.
 *
 * @throws RefusedStatementError
 */
export async function serializeStatements(connection: Connection, text: string): Promise<readonly SyntaxNode[]> {
  const [row] = await connection.rows(sql`
    SELECT CAST(json_serialize_sql(CAST(${bind(text)} AS VARCHAR), skip_default := true, skip_empty := true, skip_null := true) AS VARCHAR)`);
  const serialized = parseSerialized(row?.[0] as string);
  if (!serialized.error) return serialized.statements ?? [];
  throw new RefusedStatementError(explain(serialized, text), toByteOffset(text, serialized.position));
}

/**
 * The name of a property, and a number after it that JSON does not have: the engine writes `1e400` so. Inside of a string a quote has a
 * backslash before it, and before the quote that begins one stands no letter, so that no text of the statement is taken for this.
 */
const NOT_FINITE = /(?<=\w":)(?:(-?)Infinity|-?NaN)(?=[,}])/g;

/** Parses what the engine wrote. Infinity becomes a number that is read as infinite; the parser of SQL makes no NaN, which would be null. */
function parseSerialized(text: string): Serialized {
  const json = text.replace(NOT_FINITE, (number, sign = '') => (number.endsWith('NaN') ? 'null' : `${sign}1e999`));
  try {
    return JSON.parse(json) as Serialized;
  } catch {
    throw new RefusedStatementError(
      'The syntax of the statement cannot be checked: the engine describes it in an unknown form',
    );
  }
}

function explain({ error_type, error_message = '' }: Serialized, text: string): string {
  if (error_type === 'parser') return `Parser Error: ${error_message}`;
  if (!/only select statements/i.test(error_message)) return error_message;
  // Without its values, the engine turns a PIVOT into two statements.
  if (/\bpivot\b/i.test(text)) return 'A PIVOT needs its values written out: ON <column> IN (<value>, ...)';
  return 'Only one SELECT statement can be run';
}

/** The parser counts places in characters, while everything after it counts in bytes. */
function toByteOffset(text: string, position: string | undefined): number | undefined {
  if (position === undefined) return undefined;
  return Buffer.byteLength([...text].slice(0, Number(position)).join(''));
}
