import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { SqliteFile } from './sqlite-file.js';

/** One connection to a file, only to read, in this thread. */
export class ReadOnlySqliteDriver implements Driver {
  private file!: SqliteFile;

  constructor(private readonly path: string) {}

  async init(): Promise<void> {
    this.file = SqliteFile.openToRead(this.path);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const executeQuery = async <R>(query: CompiledQuery): Promise<QueryResult<R>> => ({
      rows: this.file.run(query).rows as R[],
    });
    return {
      executeQuery,
      streamQuery: async function* <R>(query: CompiledQuery) {
        yield await executeQuery<R>(query);
      },
    };
  }

  beginTransaction = neverWritten;
  commitTransaction = neverWritten;
  rollbackTransaction = neverWritten;

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.file.close();
  }
}

async function neverWritten(): Promise<never> {
  throw new Error('The file was opened only to read');
}
