import { join } from 'node:path';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Kysely, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import { CATALOG_FILE, prepareDataFolder } from './data-folder.js';
import type { Database } from './database.js';
import { migrations } from './migrations/migrations.js';
import { NodeSqliteDialect } from './sqlite/sqlite-dialect.js';

/** What a repository runs its statements on: the catalog itself, or a transaction on it. */
export type CatalogConnection = Kysely<Database>;

/** The database of accounts, keys, queries, executions and tables. Several processes may have it open at once. */
export class Catalog extends Kysely<Database> implements OnApplicationShutdown {
  /**
   * Opens the catalog of a data folder, creates it when absent and brings its tables up to date.
   *
   * @throws {DataFolderNotEmptyError} if it would create one among other files.
   */
  static async open(dataDir: string): Promise<Catalog> {
    prepareDataFolder(dataDir);
    const catalog = new Catalog({ dialect: new NodeSqliteDialect(join(dataDir, CATALOG_FILE)) });
    const provider = { getMigrations: async () => migrations };
    const { error } = await new Migrator({ db: catalog, provider }).migrateToLatest();
    if (error) {
      await catalog.destroy();
      throw new Error('The catalog in DATA_DIR cannot be brought up to date by this version', { cause: error });
    }
    return catalog;
  }

  /**
   * Runs `work` in one transaction: all of it is kept or, if it throws, nothing. Every statement inside must run on the
   * transaction that `work` is given: a write sent to the catalog itself would wait for the transaction to end, for ever.
   */
  async inTransaction<T>(work: (transaction: Transaction<Database>) => Promise<T>): Promise<T> {
    return await this.transaction().execute(work);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.destroy();
  }
}
