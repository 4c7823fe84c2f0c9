import { Injectable } from '@nestjs/common';
import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely';
import { ulid } from 'ulid';
import type { Plan } from '../auth/account.js';
import { Catalog } from '../catalog/catalog.js';
import type { Database } from '../catalog/database.js';
import type { AccountId } from '../catalog/ids.js';
import { toSearchText } from '../catalog/search-text.js';
import { fromCount, toFlag, toInstant } from '../catalog/stored-values.js';
import { Clock } from '../config/clock.js';
import { STORAGE_BYTES } from './plan-storage.js';
import type { NewTable, TablePart } from './table.js';
import { LinkedTableError, StorageFullError, TableExistsError, TableReplacedError } from './uploads.errors.js';

type Condition = (part: ExpressionBuilder<Database, 'table_parts'>) => Expression<SqlBool>;

/**
 * Changes tables in the catalog, each time in one transaction that also checks the storage of the
 * account's plan and locks the account: changes at once cannot exceed the plan together, nor miss
 * each other's parts. The blobs of new parts must be in the store before; removed ones stay there
 * until the sweep.
 */
@Injectable()
export class TableChangesRepository {
  constructor(
    private readonly catalog: Catalog,
    private readonly clock: Clock,
  ) {}

  /** @throws TableExistsError, StorageFullError */
  async create(table: NewTable): Promise<void> {
    const at = this.clock.now();
    await this.catalog.inTransaction(async (transaction) => {
      const account = await lockAccount(transaction, table.accountId);
      await withinStorage(transaction, account, () => insertTable(transaction, account, table, at, at));
    });
  }

  /**
   * Creates a table, or replaces the one of the same name.
   *
   * @throws LinkedTableError, StorageFullError
   */
  async replace(table: NewTable): Promise<void> {
    const at = this.clock.now();
    await this.catalog.inTransaction(async (transaction) => {
      const account = await lockAccount(transaction, table.accountId);
      const old = await findByName(transaction, table);
      if (old?.source) throw new LinkedTableError(table.name);
      await withinStorage(transaction, account, async () => {
        if (old) await deleteTable(transaction, old.id, at);
        await insertTable(transaction, account, table, old ? new Date(old.created_at) : at, at);
      });
    });
  }

  /**
   * Adds parts at the end of a table; the empty part that stood for its columns goes.
   *
   * @throws TableReplacedError, StorageFullError
   */
  async append(id: string, parts: readonly TablePart[]): Promise<void> {
    await this.change(id, parts, (part) => part('row_count', '=', 0));
  }

  /**
   * Replaces all parts by an empty one.
   *
   * @throws TableReplacedError
   */
  async clear(id: string, emptyPart: TablePart): Promise<void> {
    await this.change(id, [emptyPart], (part) => part.lit(true));
  }

  /** @returns false if the table is gone already. */
  async delete(id: string): Promise<boolean> {
    const at = this.clock.now();
    return await this.catalog.inTransaction(async (transaction) => {
      await lockOwner(transaction, id);
      return await deleteTable(transaction, id, at);
    });
  }

  /**
   * Replaces parts that follow each other by one with the same rows.
   *
   * @returns false if they are not all in the table any more; nothing has changed then.
   */
  async merge(id: string, blobs: readonly string[], merged: TablePart): Promise<boolean> {
    const at = this.clock.now();
    return await this.catalog.inTransaction(async (transaction) => {
      await lockOwner(transaction, id);
      const replaced = await transaction
        .selectFrom('table_parts')
        .select(['version', 'position'])
        .where('table_id', '=', id)
        .where('blob', 'in', blobs)
        .orderBy('version')
        .orderBy('position')
        .execute();
      const [first] = replaced;
      if (!first || replaced.length < blobs.length) return false;
      await removeParts(transaction, id, at, (part) => part('blob', 'in', blobs));
      await insertParts(transaction, { id, ...first }, [merged]);
      return true;
    });
  }

  private async change(id: string, added: readonly TablePart[], isRemoved: Condition): Promise<void> {
    const at = this.clock.now();
    await this.catalog.inTransaction(async (transaction) => {
      const account = await lockOwner(transaction, id);
      const table = await transaction
        .updateTable('tables')
        .set((column) => ({ version: column('version', '+', 1), updated_at: toInstant(at) }))
        .where('id', '=', id)
        .returning(['id', 'version'])
        .executeTakeFirst();
      if (!account || !table) throw new TableReplacedError();
      await withinStorage(transaction, account, async () => {
        await removeParts(transaction, id, at, isRemoved);
        await insertParts(transaction, { ...table, position: 0 }, added);
      });
    });
  }
}

/** An account whose tables no other transaction changes until this one ends. */
interface LockedAccount {
  readonly id: AccountId;
  readonly handle: string;
  readonly plan: Plan;
}

async function lockAccount(transaction: Transaction<Database>, id: AccountId): Promise<LockedAccount> {
  return await locking(transaction).where('id', '=', id).executeTakeFirstOrThrow();
}

/** Locks the account whose table it is; nothing if the table is gone. */
async function lockOwner(transaction: Transaction<Database>, tableId: string): Promise<LockedAccount | undefined> {
  return await locking(transaction)
    .where('id', '=', (account) => account.selectFrom('tables').select('account_id').where('tables.id', '=', tableId))
    .executeTakeFirst();
}

/** In every database, an update locks its row. */
function locking(transaction: Transaction<Database>) {
  return transaction
    .updateTable('accounts')
    .set((account) => ({ plan: account.ref('plan') }))
    .returning(['id', 'handle', 'plan']);
}

async function findByName(transaction: Transaction<Database>, { accountId, name }: NewTable) {
  return await transaction
    .selectFrom('tables')
    .select(['id', 'created_at', 'source'])
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirst();
}

async function insertTable(
  transaction: Transaction<Database>,
  { handle }: LockedAccount,
  table: NewTable,
  createdAt: Date,
  at: Date,
): Promise<void> {
  const row = {
    id: ulid(at.getTime()),
    account_id: table.accountId,
    name: table.name,
    description: table.description,
    is_private: toFlag(table.isPrivate),
    version: 1,
    columns: JSON.stringify(table.columns),
    source: table.source ? JSON.stringify(table.source) : null,
    created_at: toInstant(createdAt),
    updated_at: toInstant(at),
    search_text: toSearchText(`${handle}.${table.name}`, table.description),
  };
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('tables')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) throw new TableExistsError(table.name);
  await insertParts(transaction, { ...row, position: 0 }, table.parts);
}

async function deleteTable(transaction: Transaction<Database>, id: string, at: Date): Promise<boolean> {
  await removeParts(transaction, id, at, (part) => part.lit(true));
  const { numDeletedRows } = await transaction.deleteFrom('tables').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** The position of a part among those of its table. */
interface PartPosition {
  readonly id: string;
  readonly version: number;
  readonly position: number;
}

async function insertParts(
  transaction: Transaction<Database>,
  at: PartPosition,
  parts: readonly TablePart[],
): Promise<void> {
  const rows = parts.map(({ blob, rowCount, sizeBytes }, index) => ({
    table_id: at.id,
    version: at.version,
    position: at.position + index,
    blob,
    row_count: rowCount,
    size_bytes: sizeBytes,
  }));
  if (rows.length > 0) await transaction.insertInto('table_parts').values(rows).execute();
}

/** Removes parts of a table; their blobs wait for the sweep. */
async function removeParts(
  transaction: Transaction<Database>,
  id: string,
  at: Date,
  isRemoved: Condition,
): Promise<void> {
  await transaction
    .insertInto('removed_parts')
    .columns(['blob', 'removed_at'])
    .expression((query) =>
      query
        .selectFrom('table_parts')
        .select(['blob', query.val(toInstant(at)).as('removed_at')])
        .where('table_id', '=', id)
        .where(isRemoved),
    )
    .execute();
  await transaction.deleteFrom('table_parts').where('table_id', '=', id).where(isRemoved).execute();
}

/**
 * Makes a change that must leave the account's tables within the storage of its plan, except one
 * that makes them no larger.
 *
 * @throws StorageFullError
 */
async function withinStorage(
  transaction: Transaction<Database>,
  { id, plan }: LockedAccount,
  change: () => Promise<void>,
): Promise<void> {
  const before = await storedBytes(transaction, id);
  await change();
  const after = await storedBytes(transaction, id);
  if (after > before && after > STORAGE_BYTES[plan]) throw new StorageFullError(plan, after);
}

async function storedBytes(transaction: Transaction<Database>, accountId: AccountId): Promise<number> {
  const { bytes } = await transaction
    .selectFrom('table_parts')
    .innerJoin('tables', 'tables.id', 'table_parts.table_id')
    .select(({ fn }) => fn.sum('table_parts.size_bytes').as('bytes'))
    .where('tables.account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return fromCount(bytes);
}
