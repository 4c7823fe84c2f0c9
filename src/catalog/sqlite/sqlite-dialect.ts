import {
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { ReadOnlySqliteDriver } from './read-only-driver.js';
import { SqliteDriver } from './sqlite-driver.js';

/** Kysely on Node's own SQLite. All SQL of SQLite alone is in this folder. */
export class NodeSqliteDialect implements Dialect {
  /** @param path of the database file, created when absent unless it is opened only to read. */
  constructor(
    private readonly path: string,
    private readonly options: { readonly isReadOnly?: boolean } = {},
  ) {}

  createDriver(): Driver {
    return this.options.isReadOnly ? new ReadOnlySqliteDriver(this.path) : new SqliteDriver(this.path);
  }

  createAdapter(): SqliteAdapter {
    return new ThreadedSqliteAdapter();
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

class ThreadedSqliteAdapter extends SqliteAdapter {
  /** The migrator works in one transaction, which also excludes other processes. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** The driver itself runs one write at a time, and reads always. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
