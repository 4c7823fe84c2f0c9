import { Injectable } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';
import type { Row } from '../catalog/database.js';
import type { AccountId } from '../catalog/ids.js';
import { fromOptionalInstant, toFlag, toInstant, toOptionalInstant } from '../catalog/stored-values.js';
import type { ApiKey } from './api-key.js';

/** API keys in the catalog, found by the hash of their text. */
@Injectable()
export class ApiKeysRepository {
  constructor(private readonly catalog: Catalog) {}

  async insert(key: ApiKey, hash: string): Promise<void> {
    await this.catalog
      .insertInto('api_keys')
      .values({
        id: key.id,
        account_id: key.accountId,
        name: key.name,
        scope: key.scope,
        hash,
        prefix: key.prefix,
        created_at: toInstant(key.createdAt),
        expires_at: toOptionalInstant(key.expiresAt),
        revoked_at: toOptionalInstant(key.revokedAt),
        last_used_at: toOptionalInstant(key.lastUsedAt),
        is_bootstrap: toFlag(key.isBootstrap ?? false),
        trigger: key.trigger ?? null,
      })
      .execute();
  }

  async findByHash(hash: string): Promise<ApiKey | undefined> {
    const row = await this.keys().where('hash', '=', hash).executeTakeFirst();
    return row && toApiKey(row);
  }

  /** Keys of one account, or of all, oldest first. */
  async list(accountId?: AccountId): Promise<ApiKey[]> {
    const keys = accountId === undefined ? this.keys() : this.keys().where('account_id', '=', accountId);
    return (await keys.orderBy('created_at').orderBy('id').execute()).map(toApiKey);
  }

  async setLastUsed(id: string, at: Date): Promise<void> {
    await this.catalog
      .updateTable('api_keys')
      .set({ last_used_at: toInstant(at) })
      .where('id', '=', id)
      .execute();
  }

  /** Ends a key, unless it has ended before; `false` if there is no such key. */
  async revoke(id: string, at: Date): Promise<boolean> {
    const { numUpdatedRows } = await this.catalog
      .updateTable('api_keys')
      .set((columns) => ({ revoked_at: columns.fn.coalesce('revoked_at', columns.val(toInstant(at))) }))
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /**
   * Makes a key the one of `BOOTSTRAP_API_KEY`, and ends those that were it before.
   *
   * @returns the ids of the keys that were ended.
   */
  async makeBootstrap(id: string, name: string, at: Date): Promise<string[]> {
    return await this.catalog.inTransaction(async (transaction) => {
      await transaction.updateTable('api_keys').set({ name, is_bootstrap: 1 }).where('id', '=', id).execute();
      const valid = await transaction
        .selectFrom('api_keys')
        .select('id')
        .where('is_bootstrap', '=', 1)
        .where('revoked_at', 'is', null)
        .execute();
      const replaced = valid.map((key) => key.id).filter((other) => other !== id);
      for (const other of replaced) {
        await transaction
          .updateTable('api_keys')
          .set({ revoked_at: toInstant(at) })
          .where('id', '=', other)
          .execute();
      }
      return replaced;
    });
  }

  private keys() {
    return this.catalog.selectFrom('api_keys').selectAll();
  }
}

function toApiKey(row: Row<'api_keys'>): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    scope: row.scope,
    prefix: row.prefix,
    createdAt: new Date(row.created_at),
    expiresAt: fromOptionalInstant(row.expires_at),
    revokedAt: fromOptionalInstant(row.revoked_at),
    lastUsedAt: fromOptionalInstant(row.last_used_at),
    isBootstrap: row.is_bootstrap === 1,
    trigger: row.trigger === 'cli' ? 'cli' : undefined,
  };
}
