import { existsSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { publish } from '../../telemetry/events.js';

/** How long a statement waits while another process, such as a command, is writing. */
const BUSY_TIMEOUT_MS = 5_000;
/** How long the look of {@link isLockedExclusively} at a file can take at most. */
const PROBE_TIMEOUT_MS = 250;
/** The program has some fifty statements; lists of values make more texts of them. */
const MAX_PREPARED = 200;

/** A statement with its values. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The rows of a statement, or what it changed. */
export interface StatementResult {
  readonly rows: unknown[];
  readonly changes?: number | bigint;
  readonly lastInsertRowid?: number | bigint;
}

/**
 * A synchronous connection to a SQLite file. What was committed survives a crash of the process and
 * of the machine (`synchronous = FULL`).
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

  /** Opens an existing file to read: it sees what is committed, and blocks no writer. */
  static openToRead(path: string): SqliteFile {
    return new SqliteFile(new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: true }));
  }

  run({ sql, parameters }: Statement): StatementResult {
    // Some errors, such as a full disk, end a transaction: a rollback would hide the cause.
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
    publish('cache-lookup', { cache: 'catalog_statements', isHit: known !== undefined });
    if (known) return known;
    const statement = this.database.prepare(sql);
    const prepared = { statement, givesRows: statement.columns().length > 0 };
    this.prepared.set(sql, prepared);
    return prepared;
  }
}

/**
 * Locks a file, and returns nothing if another process has locked it. The operating system releases
 * it when the process ends, however it ends.
 */
export function lockExclusively(path: string): DatabaseSync | undefined {
  const file = new DatabaseSync(path, { timeout: PROBE_TIMEOUT_MS });
  try {
    file.exec('BEGIN EXCLUSIVE');
    return file;
  } catch (error) {
    file.close();
    if (errorCodeOf(error) === SQLITE_BUSY) return undefined;
    throw error;
  }
}

/** Whether a process has locked a file by {@link lockExclusively}. */
export function isLockedExclusively(path: string): boolean {
  if (!existsSync(path)) return false;
  const file = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    file.exec('SELECT 1 FROM sqlite_master');
    return false;
  } catch (error) {
    return errorCodeOf(error) === SQLITE_BUSY;
  } finally {
    file.close();
  }
}

const SQLITE_BUSY = 5;

/** SQLite's result code of an error, if it has one (https://www.sqlite.org/rescode.html). */
export function errorCodeOf(error: unknown): unknown {
  return (error as { errcode?: unknown } | undefined)?.errcode;
}

/** Locked, no memory, not writable, an I/O error, a full disk, a file that cannot be opened. */
const PASSING_CODES: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 13, 14]);

/** Whether the same statement can succeed later. */
export function isUnavailable(error: unknown): boolean {
  const code = errorCodeOf(error);
  // The low byte is the primary code, the others only refine it.
  return typeof code === 'number' && PASSING_CODES.has(code & 0xff);
}
