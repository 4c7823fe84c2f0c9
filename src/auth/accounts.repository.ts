import { Injectable } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';
import type { Row } from '../catalog/database.js';
import type { AccountId } from '../catalog/ids.js';
import { toInstant } from '../catalog/stored-values.js';
import type { Account, Plan } from './account.js';

/** Accounts in the catalog. */
@Injectable()
export class AccountsRepository {
  constructor(private readonly catalog: Catalog) {}

  /** Keeps a new account; `false` if its handle is taken. */
  async insert(account: Account): Promise<boolean> {
    const { createdAt, ...row } = account;
    const { numInsertedOrUpdatedRows } = await this.catalog
      .insertInto('accounts')
      .values({ ...row, created_at: toInstant(createdAt) })
      .onConflict((conflict) => conflict.column('handle').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** Changes the plan of an account; `false` if there is no account of this handle. */
  async updatePlan(handle: string, plan: Plan): Promise<boolean> {
    const { numUpdatedRows } = await this.catalog
      .updateTable('accounts')
      .set({ plan })
      .where('handle', '=', handle)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** Throws if there is none: ids come from the catalog itself. */
  async get(id: AccountId): Promise<Account> {
    return toAccount(await this.accounts().where('id', '=', id).executeTakeFirstOrThrow());
  }

  async findByHandle(handle: string): Promise<Account | undefined> {
    const row = await this.accounts().where('handle', '=', handle).executeTakeFirst();
    return row && toAccount(row);
  }

  /** Oldest first. */
  async list(): Promise<Account[]> {
    return (await this.accounts().orderBy('created_at').orderBy('id').execute()).map(toAccount);
  }

  private accounts() {
    return this.catalog.selectFrom('accounts').selectAll();
  }
}

function toAccount({ id, handle, type, plan, created_at }: Row<'accounts'>): Account {
  return { id, handle, type, plan, createdAt: new Date(created_at) };
}
