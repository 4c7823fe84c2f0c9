import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Kysely, type Transaction } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import { CATALOG_FILE, prepareDataFolder } from './data-folder.js';
import type { Database } from './database.js';
import { migrations } from './migrations/migrations.js';
import { NewerCatalogError, NoDataFolderError, toOpenError } from './open-errors.js';
import { NodeSqliteDialect } from './sqlite/sqlite-dialect.js';

/** What a repository runs its statements on: the catalog itself, or a transaction on it. */
export type CatalogConnection = Kysely<Database>;

/** The database of accounts, keys, queries, executions and tables. Several processes may have it open at once. */
export class Catalog extends Kysely<Database> implements OnApplicationShutdown {
  /**
   * Opens the catalog of a data folder, creates it when absent and brings its tables up to date.
   *
   * @throws {DataFolderNotEmptyError} if it would create one among other files.
   * @throws {OperatorError} for a folder that cannot be used, a damaged catalog, or one of a newer version.
   */
  static async open(dataDir: string): Promise<Catalog> {
    try {
      prepareDataFolder(dataDir);
      return await Catalog.openFile(join(dataDir, CATALOG_FILE));
    } catch (error) {
      throw toOpenError(error, dataDir);
    }
  }

  /**
   * Like {@link open}, for commands beside the service: they never make a data folder.
   *
   * @throws {NoDataFolderError}
   */
  static async openExisting(dataDir: string): Promise<Catalog> {
    if (!existsSync(dataDir)) throw new NoDataFolderError(dataDir);
    return await Catalog.open(dataDir);
  }

  private static async openFile(path: string): Promise<Catalog> {
    const catalog = new Catalog({ dialect: new NodeSqliteDialect(path) });
    try {
      await migrate(catalog);
      return catalog;
    } catch (error) {
      await catalog.destroy();
      throw error;
    }
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

async function migrate(catalog: Catalog): Promise<void> {
  const newer = (await appliedMigrations(catalog)).find((name) => !(name in migrations));
  if (newer !== undefined) throw new NewerCatalogError(newer);
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db: catalog, provider }).migrateToLatest();
  if (error) throw error;
}

/** The names of the migrations that a catalog has been through. */
async function appliedMigrations(catalog: Catalog): Promise<string[]> {
  const tables = await catalog.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const rows = await catalog
    .withTables<Record<typeof DEFAULT_MIGRATION_TABLE, { name: string }>>()
    .selectFrom(DEFAULT_MIGRATION_TABLE)
    .select('name')
    .execute();
  return rows.map(({ name }) => name);
}
