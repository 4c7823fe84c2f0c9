import type { Connection } from '../../../duckdb/connection/connection.js';
import { serializeSql } from '../../../duckdb/connection/serialize-sql.js';
import type { SyntaxIssue } from '../syntax-messages.js';

/** Finds why the engine's parser does not take a text for SQL. SQL of any kind has no issue, whether a run takes it or not. */
export async function findSyntaxIssue(connection: Connection, sql: string): Promise<SyntaxIssue | undefined> {
  const { issue } = await serializeSql(connection, sql);
  if (issue?.error_type !== 'parser') return undefined;
  const { error_message = '', position } = issue;
  // What follows is advice on the settings of the engine.
  const [message = ''] = error_message.split(/ Use "SET /);
  return position === undefined ? { message } : { message, offset: toUtf16(sql, Number(position)) };
}

function toUtf16(text: string, characters: number): number {
  return Array.from(text).slice(0, characters).join('').length;
}
