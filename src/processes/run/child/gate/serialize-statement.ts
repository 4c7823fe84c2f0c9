import type { Connection } from '../../../../duckdb/connection/connection.js';
import { type SerializationIssue, serializeSql } from '../../../../duckdb/connection/serialize-sql.js';
import { asCounted } from '../text-offset.js';
import { RefusedStatementError } from './refused-statement-error.js';
import type { SyntaxNode } from './syntax-tree.js';

/**
 * Parses a text into syntax trees of the engine, one for each statement, without binding or running
 * it. The engine serializes statements like SELECT only, VALUES and DESCRIBE included; others, such
 * as PRAGMA, are rejected.
 *
 * @throws RefusedStatementError
 */
export async function serializeStatements(connection: Connection, text: string): Promise<readonly SyntaxNode[]> {
  const { json, issue } = await serializeSql(connection, text);
  if (!issue) return parseTrees(json);
  throw new RefusedStatementError(explain(issue, text), toByteOffset(text, issue.position));
}

/**
 * The name of a property, and a number that JSON does not have: the engine writes `1e400` so. Text
 * of the statement never looks like this: inside of a string, a quote has a backslash before it.
 */
const NOT_FINITE = /(?<=\w":)(?:(-?)Infinity|-?NaN)(?=[,}])/g;

/**
 * Parses the trees. Infinity becomes a number that is read as infinite; no literal of SQL is NaN.
 */
function parseTrees(written: string): readonly SyntaxNode[] {
  const json = written.replace(NOT_FINITE, (number, sign = '') => (number.endsWith('NaN') ? 'null' : `${sign}1e999`));
  try {
    return (JSON.parse(json) as { statements?: readonly SyntaxNode[] }).statements ?? [];
  } catch {
    throw new RefusedStatementError(
      'The syntax of the statement cannot be checked: the engine describes it in an unknown form',
    );
  }
}

function explain({ error_type, error_message = '' }: SerializationIssue, text: string): string {
  if (error_type === 'parser') return `Parser Error: ${error_message}`;
  if (!/only select statements/i.test(error_message)) return error_message;
  // Without its values, the engine turns a PIVOT into two statements.
  if (/\bpivot\b/i.test(text)) return 'A PIVOT needs its values written out: ON <column> IN (<value>, ...)';
  return 'Only one SELECT statement can be run';
}

/** The parser counts in characters, everything after it in bytes. */
function toByteOffset(text: string, position: string | undefined): number | undefined {
  if (position === undefined) return undefined;
  return Buffer.byteLength(Array.from(asCounted(text)).slice(0, Number(position)).join(''));
}
