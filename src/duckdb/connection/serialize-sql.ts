import { bind, sql } from '../sql.js';
import type { Connection } from './connection.js';

/** What the engine reports of SQL that it cannot serialize. */
export interface SerializationIssue {
  /** `parser` if the text is not SQL; another word if it is SQL that cannot be serialized. */
  readonly error_type?: string;
  readonly error_message?: string;
  /** The offset, in characters. */
  readonly position?: string;
}

/** The syntax trees of SQL, as the engine writes them, or why there are none. */
export type SerializedSql =
  | { readonly json: string; readonly issue?: undefined }
  | { readonly issue: SerializationIssue; readonly json?: undefined };

/** Parses SQL by the engine's own parser; nothing of it is bound or run. */
export async function serializeSql(connection: Connection, text: string): Promise<SerializedSql> {
  const [row] = await connection.rows(sql`
    SELECT CAST(json_serialize_sql(CAST(${bind(text)} AS VARCHAR), skip_default := true, skip_empty := true, skip_null := true) AS VARCHAR)`);
  const json = row?.[0] as string;
  return json.startsWith('{"error":true') ? { issue: JSON.parse(json) as SerializationIssue } : { json };
}
