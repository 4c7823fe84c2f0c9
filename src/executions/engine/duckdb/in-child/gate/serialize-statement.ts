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
  const serialized = JSON.parse(String(row?.[0])) as Serialized;
  if (!serialized.error) return serialized.statements ?? [];
  throw new RefusedStatementError(explain(serialized), toByteOffset(serialized.position));
}

function explain({ error_type, error_message = '' }: Serialized): string {
  if (error_type === 'parser') return `Parser Error: ${error_message}`;
  if (/only select statements/i.test(error_message)) {
    return 'Only one SELECT statement can be run; a PIVOT needs its values written out: ON column IN (value, ...)';
  }
  return error_message;
}

function toByteOffset(position: string | undefined): number | undefined {
  return position === undefined ? undefined : Number(position);
}
