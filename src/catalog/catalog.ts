import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Kysely, type Transaction } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import { CATALOG_FILE, hasCatalog, prepareDataFolder } from './data-folder.js';
import type { Database } from './database.js';
import { migrations } from './migrations/migrations.js';
import { NewerCatalogError, NoCatalogError, NoDataFolderError, OlderCatalogError, toOpenError } from './open-errors.js';
import { NodeSqliteDialect } from './sqlite/sqlite-dialect.js';

/** What runs the statements of a repository: the catalog, or a transaction on it. */
export type CatalogConnection = Kysely<Database>;

/** The database of accounts, queries, executions and tables, for several processes at once. */
export class Catalog extends Kysely<Database> implements OnApplicationShutdown {
  /**
   * Opens the catalog of a data folder, creates it when absent and brings its tables up to date.
   *
   * @throws {DataFolderNotEmptyError} if it would create one among other files.
   * @throws {OperatorError} for an unusable folder, or a catalog that is damaged or too new.
   */
  static async open(dataDir: string): Promise<Catalog> {
    return await opening(dataDir, async () => {
      prepareDataFolder(dataDir);
      return await Catalog.openFile(dataDir, (catalog) => catalog.migrate());
    });
  }

  /**
   * Like {@link open}, for commands: they never create a data folder and never migrate a catalog.
   *
   * @throws {NoDataFolderError}
   * @throws {OlderCatalogError}
   */
  static async openExisting(dataDir: string): Promise<Catalog> {
    if (!existsSync(dataDir)) throw new NoDataFolderError(dataDir);
    if (!(await opening(dataDir, async () => hasCatalog(dataDir)))) return await Catalog.open(dataDir);
    return await Catalog.openOlder(dataDir, async (catalog) => {
      const pending = await catalog.pendingMigrations();
      // Without any, it is being created now, or a crash has left it so.
      if (pending.length === Object.keys(migrations).length) await catalog.migrate();
      else if (pending.length > 0) throw new OlderCatalogError(pending);
    });
  }

  /**
   * Opens a catalog without a migration, for commands that work with those of earlier versions.
   *
   * @param check throws if the command does not work with this one.
   * @throws {NoDataFolderError}
   * @throws {NoCatalogError}
   */
  static async openOlder(dataDir: string, check = requireKnown): Promise<Catalog> {
    return await opening(dataDir, async () => {
      if (!existsSync(dataDir)) throw new NoDataFolderError(dataDir);
      if (!hasCatalog(dataDir)) throw new NoCatalogError(dataDir);
      return await Catalog.openFile(dataDir, check);
    });
  }

  /** Opens a copy of a catalog, of this version or an earlier one, only to read. */
  static openToRead(path: string): Catalog {
    return new Catalog({ dialect: new NodeSqliteDialect(path, { isReadOnly: true }) });
  }

  private static async openFile(dataDir: string, check: (catalog: Catalog) => Promise<unknown>): Promise<Catalog> {
    const catalog = new Catalog({ dialect: new NodeSqliteDialect(join(dataDir, CATALOG_FILE)) });
    try {
      await check(catalog);
      return catalog;
    } catch (error) {
      await catalog.destroy();
      throw error;
    }
  }

  /**
   * Names of the migrations that this version would apply, in their order.
   *
   * @throws {NewerCatalogError}
   */
  async pendingMigrations(): Promise<string[]> {
    const applied = new Set(await this.appliedMigrations());
    for (const name of applied) if (!(name in migrations)) throw new NewerCatalogError(name);
    return Object.keys(migrations)
      .filter((name) => !applied.has(name))
      .toSorted();
  }

  /** Brings the tables up to date, in one transaction. @returns the migrations that it applied. */
  async migrate(): Promise<string[]> {
    await this.pendingMigrations();
    const provider = { getMigrations: async () => migrations };
    const { error, results = [] } = await new Migrator({ db: this, provider }).migrateToLatest();
    if (error) throw error;
    return results.map(({ migrationName }) => migrationName);
  }

  private async appliedMigrations(): Promise<string[]> {
    const tables = await this.introspection.getTables({ withInternalKyselyTables: true });
    if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
    const rows = await this.withTables<Record<typeof DEFAULT_MIGRATION_TABLE, { name: string }>>()
      .selectFrom(DEFAULT_MIGRATION_TABLE)
      .select('name')
      .execute();
    return rows.map(({ name }) => name);
  }

  /**
   * Runs `work` in one transaction: all of it is kept or, if it throws, nothing. It must run every
   * statement on its transaction: a write sent to the catalog itself would wait for ever.
   */
  async inTransaction<T>(work: (transaction: Transaction<Database>) => Promise<T>): Promise<T> {
    return await this.transaction().execute(work);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.destroy();
  }
}

async function opening<T>(dataDir: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw toOpenError(error, dataDir);
  }
}

async function requireKnown(catalog: Catalog): Promise<void> {
  await catalog.pendingMigrations();
}
