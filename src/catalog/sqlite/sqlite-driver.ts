import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode } from 'kysely';
import { SqliteFile, type StatementResult } from './sqlite-file.js';
import { Turns } from './turns.js';
import { WritingThread } from './writing-thread.js';

/** Takes the write lock at the start: a transaction that reads first and writes later can fail without waiting for its turn. */
const BEGIN = CompiledQuery.raw('begin immediate');
const COMMIT = CompiledQuery.raw('commit');
const ROLLBACK = CompiledQuery.raw('rollback');

/**
 * Two connections to one file: this thread reads, in no more time than a call takes, and a thread of its own writes and has the
 * transactions. A read that follows a write sees it.
 */
export class SqliteDriver implements Driver {
  private reader!: SqliteFile;
  private writer!: WritingThread;
  private readonly turns = new Turns();

  constructor(private readonly path: string) {}

  async init(): Promise<void> {
    this.writer = await WritingThread.open(this.path);
    this.reader = SqliteFile.openToRead(this.path);
  }

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.reader, this.writer, this.turns);
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

  /** The writer is the last to close the file: what it must wait for then does not keep this thread. */
  async destroy(): Promise<void> {
    this.reader.close();
    await this.writer.end();
  }
}

/** Sends each statement where it belongs. */
class SqliteConnection implements DatabaseConnection {
  /** Gives the writer to the next; there only while a transaction is open. */
  private endTurn: (() => void) | undefined;

  constructor(
    private readonly reader: SqliteFile,
    private readonly writer: WritingThread,
    private readonly turns: Turns,
  ) {}

  async begin(): Promise<void> {
    const endTurn = await this.turns.next();
    try {
      await this.writer.run(BEGIN);
      this.endTurn = endTurn;
    } finally {
      if (!this.endTurn) endTurn();
    }
  }

  /** If it fails, a rollback follows. */
  async commit(): Promise<void> {
    await this.writer.run(COMMIT);
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
    if (this.endTurn) return toQueryResult(await this.writer.run(query));
    if (SelectQueryNode.is(query.query)) return toQueryResult(this.reader.run(query));
    const endTurn = await this.turns.next();
    try {
      return toQueryResult(await this.writer.run(query));
    } finally {
      endTurn();
    }
  }

  /** In one piece: the catalog's answers are small. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  private end(): void {
    this.endTurn?.();
    this.endTurn = undefined;
  }
}

function toQueryResult<R>({ rows, changes, lastInsertRowid }: StatementResult): QueryResult<R> {
  return {
    rows: rows as R[],
    insertId: lastInsertRowid === undefined ? undefined : BigInt(lastInsertRowid),
    numAffectedRows: changes === undefined ? undefined : BigInt(changes),
  };
}
