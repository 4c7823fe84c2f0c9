import type { Connection } from '../../../duckdb/connection/connection.js';
import { serializeSql } from '../../../duckdb/connection/serialize-sql.js';
import type { SyntaxIssue } from '../syntax-messages.js';

/**
 * Finds the syntax error that the engine reports for a text. SQL of any kind has none, even if no
 * run accepts it.
 */
export async function findSyntaxIssue(connection: Connection, sql: string): Promise<SyntaxIssue | undefined> {
  const { issue } = await serializeSql(connection, sql);
  if (issue?.error_type !== 'parser') return undefined;
  const { error_message = '', position } = issue;
  // Advice on the settings of the engine follows.
  const [message = ''] = error_message.split(/ Use "SET /);
  return position === undefined ? { message } : { message, offset: toUtf16(sql, Number(position)) };
}

function toUtf16(text: string, characters: number): number {
  return Array.from(text).slice(0, characters).join('').length;
}
