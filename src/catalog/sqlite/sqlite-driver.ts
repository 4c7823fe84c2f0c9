import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode } from 'kysely';
import { failpoint } from '../../config/failpoint.js';
import { Mutex } from './mutex.js';
import { SqliteFile, type StatementResult } from './sqlite-file.js';
import { WritingThread } from './writing-thread.js';

/** Takes the write lock at once: a transaction that reads first can fail when it writes. */
const BEGIN = CompiledQuery.raw('begin immediate');
const COMMIT = CompiledQuery.raw('commit');
const ROLLBACK = CompiledQuery.raw('rollback');

/**
 * Two connections to one file: this thread reads, another one writes and has the transactions. A
 * read after a write sees it.
 */
export class SqliteDriver implements Driver {
  private reader!: SqliteFile;
  private writer!: WritingThread;
  private readonly mutex = new Mutex();

  constructor(private readonly path: string) {}

  async init(): Promise<void> {
    await failpoint('catalog-open');
    this.writer = await WritingThread.open(this.path);
    this.reader = SqliteFile.openToRead(this.path);
  }

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.reader, this.writer, this.mutex);
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    await connection.rollback();
  }

  async releaseConnection(): Promise<void> {}

  /** The writer closes the file last: this thread does not wait for the log's end. */
  async destroy(): Promise<void> {
    this.reader.close();
    await this.writer.end();
  }
}

/** Sends reads to this thread, writes and transactions to the other. */
class SqliteConnection implements DatabaseConnection {
  /** Releases the writer; present only while a transaction is open. */
  private release: (() => void) | undefined;

  constructor(
    private readonly reader: SqliteFile,
    private readonly writer: WritingThread,
    private readonly mutex: Mutex,
  ) {}

  async begin(): Promise<void> {
    const release = await this.mutex.acquire();
    try {
      await this.writer.run(BEGIN);
      this.release = release;
    } finally {
      if (!this.release) release();
    }
  }

  /** If it fails, a rollback follows. */
  async commit(): Promise<void> {
    await failpoint('catalog-commit');
    await this.writer.run(COMMIT);
    await failpoint('catalog-committed');
    this.end();
  }

  async rollback(): Promise<void> {
    try {
      await this.writer.run(ROLLBACK);
    } finally {
      this.end();
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.release) return toQueryResult(await this.write(query));
    if (SelectQueryNode.is(query.query)) {
      await failpoint('catalog-read');
      return toQueryResult(this.reader.run(query));
    }
    const release = await this.mutex.acquire();
    try {
      const result = await this.write(query);
      await failpoint('catalog-committed');
      return toQueryResult(result);
    } finally {
      release();
    }
  }

  /** All rows at once: the catalog's answers are small. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  private async write(query: CompiledQuery): Promise<StatementResult> {
    await failpoint('catalog-write');
    return await this.writer.run(query);
  }

  private end(): void {
    this.release?.();
    this.release = undefined;
  }
}

function toQueryResult<R>({ rows, changes, lastInsertRowid }: StatementResult): QueryResult<R> {
  return {
    rows: rows as R[],
    insertId: lastInsertRowid === undefined ? undefined : BigInt(lastInsertRowid),
    numAffectedRows: changes === undefined ? undefined : BigInt(changes),
  };
}
