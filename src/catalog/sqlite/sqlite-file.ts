import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';

/** How long a statement waits while another process, such as a command beside the server, is writing. */
const BUSY_TIMEOUT_MS = 5_000;
/** The program has some fifty statements; lists of values make more texts of them. */
const MAX_PREPARED = 200;

/** A statement with its values. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** What a statement gave: its rows or, if it gives none, what it changed. */
export interface StatementResult {
  readonly rows: unknown[];
  readonly changes?: number | bigint;
  readonly lastInsertRowid?: number | bigint;
}

/**
 * A connection to a SQLite file, which runs each statement before it returns. What was committed survives a crash of the process and of the
 * machine (`synchronous = FULL`).
 */
export class SqliteFile {
  private readonly prepared = new LRUCache<string, { statement: StatementSync; givesRows: boolean }>({
    max: MAX_PREPARED,
  });

  private constructor(private readonly database: DatabaseSync) {}

  /** Opens a file to read and write; creates it when absent. */
  static openToWrite(path: string): SqliteFile {
    const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    return new SqliteFile(database);
  }

  /** Opens a file that exists, only to read: what is committed is seen by the next statement, and nobody waits for it. */
  static openToRead(path: string): SqliteFile {
    return new SqliteFile(new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: true }));
  }

  run({ sql, parameters }: Statement): StatementResult {
    // Some failures, a full disk among them, undo a transaction at once: to undo it again would fail and hide why.
    if (sql === 'rollback' && !this.database.isTransaction) return { rows: [] };
    const { statement, givesRows } = this.prepare(sql);
    const values = parameters as SQLInputValue[];
    return givesRows ? { rows: statement.all(...values) } : { rows: [], ...statement.run(...values) };
  }

  close(): void {
    this.database.close();
  }

  private prepare(sql: string) {
    const known = this.prepared.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql);
    const prepared = { statement, givesRows: statement.columns().length > 0 };
    this.prepared.set(sql, prepared);
    return prepared;
  }
}

/**
 * Opens a file that one process at most can hold, and returns nothing when another holds it. The operating system lets
 * go of it when its process ends, however it ends.
 */
export function holdExclusively(path: string): DatabaseSync | undefined {
  const SQLITE_BUSY = 5;
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec('BEGIN EXCLUSIVE');
    return file;
  } catch (error) {
    file.close();
    if (errorCodeOf(error) === SQLITE_BUSY) return undefined;
    throw error;
  }
}

/** The reason that SQLite gives for a failure, as a number (https://www.sqlite.org/rescode.html). */
export function errorCodeOf(error: unknown): unknown {
  return (error as { errcode?: unknown } | undefined)?.errcode;
}

/** Locked, no memory, not writable, an I/O error, a full disk, a file that cannot be opened. */
const PASSING_CODES: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 13, 14]);

/** Whether a statement failed through nothing of its own, so that the same statement can succeed later. */
export function isUnavailable(error: unknown): boolean {
  const code = errorCodeOf(error);
  // The low byte is the primary code, what is above it only tells more.
  return typeof code === 'number' && PASSING_CODES.has(code & 0xff);
}
