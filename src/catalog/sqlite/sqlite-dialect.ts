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
import { SqliteDriver } from './sqlite-driver.js';

/** Kysely on Node's own SQLite. All SQL that only SQLite understands stands in this folder. */
export class NodeSqliteDialect implements Dialect {
  /** @param path of the database file, which is created when absent. */
  constructor(private readonly path: string) {}

  createDriver(): Driver {
    return new SqliteDriver(this.path);
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
  /** Lets the migrator work in one transaction, which also keeps two processes from migrating at once. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** The driver itself lets one write at a time through, and reads always. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
