import type { ApiClient } from './api-client.js';

/** The rows that a statement yields for the account of a key, as the service prints them. */
export async function rowsOf(server: ApiClient, sql: string, key = server.key): Promise<object[]> {
  const execution = await server.givenResult(sql, key);
  return (await server.get(`/execution/${execution}/results`, {}, key)).body.result.rows;
}

/** Why a statement fails for the account of a key. */
export async function failureOf(server: ApiClient, sql: string, key = server.key): Promise<string> {
  const started = await server.post<{ execution_id: string }>('/sql/execute', { sql }, key);
  const { body } = await server.untilEnded(started.body.execution_id, key);
  if (body.state !== 'QUERY_STATE_FAILED') throw new Error(`The statement ended as ${body.state}`);
  return body.error.message;
}
