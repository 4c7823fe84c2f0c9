import { Injectable } from '@nestjs/common';
import { ulid } from 'ulid';
import type { Account } from '../auth/account.js';
import { AccountsService } from '../auth/accounts.service.js';
import { TableStore } from '../storage/storage.module.js';
import type { Table, TableName } from './table.js';
import { TableChangesRepository } from './table-changes.repository.js';
import type { TableColumn } from './table-column.js';
import { type TablePage, TablesRepository } from './tables.repository.js';
import { LinkedTableError, TableNotFoundError } from './uploads.errors.js';

/** A table name as a statement wrote it. */
interface Reference {
  readonly namespace?: string;
  readonly name: string;
}

/** A table that a run may open. */
export interface VisibleTable {
  readonly name: string;
  readonly namespace: string;
  /** Absolute paths of its parts. */
  readonly parts: readonly string[];
  /** Whether the bare name finds it, too. */
  readonly isBareName: boolean;
  readonly isPrivate: boolean;
}

/** A table that comes with the service. */
export interface ShippedTable {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly Omit<TableColumn, 'nullable'>[];
  readonly rowCount: number;
  /** Parquet file, which stays where it is. */
  readonly path: string;
}

/** Finds the tables of accounts. */
@Injectable()
export class TablesService {
  constructor(
    private readonly tables: TablesRepository,
    private readonly changes: TableChangesRepository,
    private readonly accounts: AccountsService,
    private readonly store: TableStore,
  ) {}

  /** Makes a table of a Parquet file that the service ships, for an account. */
  async install(account: Account, described: ShippedTable): Promise<void> {
    const { name, description, rowCount } = described;
    const blob = `${ulid()}.parquet`;
    const { sizeBytes } = await this.store.adoptCopy(described.path, blob);
    await this.changes.create({
      accountId: account.id,
      name,
      description,
      isPrivate: false,
      columns: described.columns.map((column) => ({ ...column, nullable: true })),
      parts: [{ blob, rowCount, sizeBytes }],
    });
  }

  /**
   * Finds the tables that a statement names, as far as the account may see them: its own, and the public ones of others. A bare name is
   * one of its own. What it may not see is left out, just like what does not exist.
   */
  async findForRun(references: readonly Reference[], accountId: string): Promise<VisibleTable[]> {
    const account = await this.accounts.get(accountId);
    const names = new Map<string, Required<Reference>>();
    for (const { namespace = account.handle, name } of references) {
      const folded = { namespace: namespace.toLowerCase(), name: name.toLowerCase() };
      names.set(`${folded.namespace}.${folded.name}`, folded);
    }
    const found = await Promise.all([...names.values()].map((name) => this.tables.find(name)));
    return found
      .filter((table) => table !== undefined)
      .filter((table) => !table.isPrivate || table.accountId === accountId)
      .map((table) => this.toVisible(table, table.accountId === accountId));
  }

  /** The account's own tables, by name. */
  list(account: Account, page: { limit: number; offset: number }): Promise<TablePage> {
    return this.tables.list(account.id, page);
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

  private toVisible({ name, namespace, parts, isPrivate }: Table, isOwn: boolean): VisibleTable {
    return { name, namespace, isPrivate, isBareName: isOwn, parts: parts.map(({ blob }) => this.store.pathOf(blob)) };
  }
}
