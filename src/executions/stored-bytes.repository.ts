import { Injectable } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';
import type { AccountId } from '../catalog/ids.js';
import { fromCount } from '../catalog/stored-values.js';

/** An account, what its stored results are counted as, and what they take together. */
export interface StoredBytes {
  readonly accountId: AccountId;
  readonly handle: string;
  readonly countedBytes: number;
  readonly bytes: number;
}

/** Compares what the accounts' results are counted as with the results themselves. */
@Injectable()
export class StoredBytesRepository {
  constructor(private readonly catalog: Catalog) {}

  /** All accounts, at one instant. */
  async list(): Promise<StoredBytes[]> {
    const rows = await this.catalog
      .selectFrom('accounts')
      .leftJoin('executions', (join) =>
        join
          .onRef('executions.account_id', '=', 'accounts.id')
          .on('executions.state', 'in', ['COMPLETED', 'COMPLETED_PARTIAL']),
      )
      .select(['accounts.id', 'accounts.handle', 'accounts.result_bytes'])
      .select(({ fn }) => fn.sum('executions.result_bytes').as('bytes'))
      .groupBy(['accounts.id', 'accounts.handle', 'accounts.result_bytes'])
      .orderBy('accounts.id')
      .execute();
    return rows.map(({ id, handle, result_bytes, bytes }) => ({
      accountId: id,
      handle,
      countedBytes: fromCount(result_bytes),
      bytes: fromCount(bytes),
    }));
  }

  /** Counts the results of an account anew. */
  async recount(accountId: AccountId): Promise<void> {
    await this.catalog
      .updateTable('accounts')
      .set((account) => ({
        result_bytes: account
          .selectFrom('executions')
          .select((sum) => sum.fn.coalesce(sum.fn.sum<number>('result_bytes'), sum.val(0)).as('bytes'))
          .where('account_id', '=', accountId)
          .where('state', 'in', ['COMPLETED', 'COMPLETED_PARTIAL']),
      }))
      .where('id', '=', accountId)
      .execute();
  }
}
