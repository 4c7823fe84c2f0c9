import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';

/** How long a statement waits while another process, such as a command beside the server, is writing. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Kysely on Node's own SQLite, with one connection a process. All SQL that only SQLite understands stands in this file.
 *
 * What was committed survives a crash of the process and of the machine (`synchronous = FULL`).
 */
export class NodeSqliteDialect implements Dialect {
  /** @param path of the database file, which is created when absent. */
  constructor(private readonly path: string) {}

  createDriver(): Driver {
    return new ImmediateSqliteDriver({ database: async () => open(this.path) });
  }

  createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

/** Takes the write lock at the start: a transaction that reads first and writes later can fail without waiting for its turn. */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** Lets the migrator work in one transaction, which also keeps two processes from migrating at once. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function open(path: string) {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  return {
    close: () => database.close(),
    prepare: (sql: string) => prepare(database, sql),
  };
}

function prepare(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql);
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
  };
}

/** Whether a statement failed because a value that must be unique is taken. */
export function isUniqueViolation(error: unknown): boolean {
  const SQLITE_CONSTRAINT_UNIQUE = 2067;
  return errorCodeOf(error) === SQLITE_CONSTRAINT_UNIQUE;
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

function errorCodeOf(error: unknown): unknown {
  return (error as { errcode?: unknown } | undefined)?.errcode;
}
