import { setImmediate } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { ulid } from 'ulid';
import type { Account } from '../auth/account.js';
import { AccountsService } from '../auth/accounts.service.js';
import { type ListFilter, OWN } from '../auth/list-scope.js';
import type { AccountId } from '../catalog/ids.js';
import { Config } from '../config/config.js';
import { failpoint } from '../config/failpoint.js';
import type { ListPage } from '../http/list-page.js';
import type { RunTable } from '../processes/run/run.js';
import { LinkRoots } from '../storage/linked/link-bounds.js';
import { LinkRefusedError } from '../storage/linked/linked.errors.js';
import { findLinkedFiles } from '../storage/linked/linked-files.js';
import { openLinkedFile } from '../storage/linked/open-linked-file.js';
import { TableStore } from '../storage/storage.module.js';
import type { TableColumn } from '../types/table-column.js';
import { findNearTables, type WrittenName } from './near-tables.js';
import { toLinkedRunTable, toMissingTable, toRunTable } from './run-table.js';
import type { Table, TableName } from './table.js';
import { TableChangesRepository } from './table-changes.repository.js';
import { type TablePage, TablesRepository } from './tables.repository.js';
import { LinkedTableError, TableNotFoundError } from './uploads.errors.js';

/** A table that comes with the service. */
export interface ShippedTable {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly Omit<TableColumn, 'nullable'>[];
  readonly rowCount: number;
  /** Parquet file, which stays where it is. */
  readonly path: string;
}

/** A statement can name thousands of tables: after so many, other requests are served. */
const BATCH_SIZE = 20;

/** Names that are compared with one that no table has. */
const MAX_NEAR_CANDIDATES = 10_000;

/** Finds, lists and deletes the tables of accounts. */
@Injectable()
export class TablesService {
  private readonly logger = new Logger(TablesService.name);
  private readonly linkRoots: LinkRoots;

  constructor(
    config: Config,
    private readonly tables: TablesRepository,
    private readonly changes: TableChangesRepository,
    private readonly accounts: AccountsService,
    private readonly store: TableStore,
  ) {
    this.linkRoots = new LinkRoots(config);
  }

  /** Makes a table of a Parquet file that the service ships, for an account. */
  async install(account: Account, { name, description, columns, rowCount, path }: ShippedTable): Promise<void> {
    const blob = `${ulid()}.parquet`;
    const { sizeBytes } = await this.store.adoptCopy(path, blob);
    await failpoint('part-stored');
    await this.changes.create({
      accountId: account.id,
      name,
      description,
      isPrivate: false,
      columns: columns.map((column) => ({ ...column, nullable: true })),
      parts: [{ blob, rowCount, sizeBytes }],
    });
  }

  /**
   * Finds those of the tables that a statement names which the account may see: its own, and the
   * public ones of others. A bare name is one of its own.
   */
  async findForRun(references: readonly WrittenName[], accountId: AccountId): Promise<RunTable[]> {
    const account = await this.accounts.get(accountId);
    const names = new Map<string, TableName>();
    for (const { namespace = account.handle, name } of references) {
      const folded = { namespace: namespace.toLowerCase(), name: name.toLowerCase() };
      names.set(`${folded.namespace}.${folded.name}`, folded);
    }
    const found: RunTable[] = [];
    let count = 0;
    for (const name of names.values()) {
      const table = await this.findVisible(name, accountId);
      if (table) found.push(table);
      if (++count % BATCH_SIZE === 0) await setImmediate();
    }
    return found;
  }

  /** Finds tables that the account may see with names like one that no table has. */
  async findNearNames(written: WrittenName, accountId: AccountId): Promise<string[]> {
    const { handle } = await this.accounts.get(accountId);
    return findNearTables(written, await this.tables.listVisibleNames(accountId, MAX_NEAR_CANDIDATES), handle);
  }

  /** One page of the tables that the account may see, by full name: without a filter its own. */
  list(account: Account, page: ListPage, filter: ListFilter = OWN): Promise<TablePage> {
    return this.tables.list(account.id, page, filter);
  }

  /**
   * Finds one of the account's own tables that it can change.
   *
   * @throws TableNotFoundError, LinkedTableError
   */
  async getOwn(account: Account, name: TableName): Promise<Table> {
    const table = name.namespace === account.handle ? await this.tables.find(name) : undefined;
    if (!table) throw new TableNotFoundError();
    if (table.source) throw new LinkedTableError(table.name);
    return table;
  }

  /** @throws TableNotFoundError, LinkedTableError */
  async delete(account: Account, name: TableName): Promise<Table> {
    const table = await this.getOwn(account, name);
    if (!(await this.changes.delete(table.id))) throw new TableNotFoundError();
    return table;
  }

  private async findVisible(name: TableName, accountId: AccountId): Promise<RunTable | undefined> {
    const table = await this.tables.find(name);
    if (!table || (table.isPrivate && table.accountId !== accountId)) return undefined;
    if (table.source) return this.findLinked(table, table.source.pattern, accountId);
    const paths = table.parts.map(({ blob }) => this.store.pathOf(blob));
    return toRunTable(table, paths, accountId);
  }

  private async findLinked(table: Table, pattern: string, accountId: AccountId): Promise<RunTable> {
    const bounds = await this.linkRoots.findBounds();
    const found = await this.unlessRefused(table, () => findLinkedFiles(pattern, bounds));
    const open = (path: string) => this.unlessRefused(table, () => openLinkedFile(path, bounds));
    return found ? toLinkedRunTable(table, found, { accountId, open }) : toMissingTable(table, accountId);
  }

  /** Why files cannot be read is logged: they are gone, or no longer allowed. */
  private async unlessRefused<T>(table: Table, find: () => Promise<T>): Promise<T | undefined> {
    try {
      return await find();
    } catch (error) {
      if (!(error instanceof LinkRefusedError)) throw error;
      this.logger.warn({ table: table.id, reason: error.message }, 'A linked table cannot be read');
      return undefined;
    }
  }
}
