import { afterAll } from '@jest/globals';
import { type Connection, Database } from '../../src/duckdb/connection/connection.js';

const opened: { close(): void }[] = [];

afterAll(() => {
  for (const one of opened.reverse()) one.close();
});

/**
 * A connection to a new database in memory, closed after the last test of the file.
 *
 * @param options settings by name.
 */
export async function openConnection(options: Readonly<Record<string, string>> = {}): Promise<Connection> {
  const database = await Database.open({ threads: '2', ...options });
  const connection = await database.connect();
  opened.push(database, connection);
  return connection;
}
