import { Injectable } from '@nestjs/common';
import { ulid } from 'ulid';
import { Clock } from '../config/clock.js';
import type { Account } from './account.js';
import { AccountsRepository } from './accounts.repository.js';
import { type ApiKey, isValidAt } from './api-key.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeyNotFoundError, InvalidApiKeyError } from './auth.errors.js';
import { generateKeyText, hashKeyText, keyTextPrefix } from './key-text.js';
import type { Scope } from './scope.js';

const DAY_MS = 86_400_000;
const LAST_USED_PRECISION_MS = 60_000;
/** Name of the record of the key that `BOOTSTRAP_API_KEY` sets. */
const BOOTSTRAP_NAME = 'bootstrap';

/** What the creator of a key decides. */
export interface NewApiKey {
  name: string;
  scope: Scope;
  /** Days until it ends; for ever when absent. */
  expiresDays?: number;
  /** Makes it a key of a command of the program, see {@link ApiKey.trigger}. */
  trigger?: 'cli';
}

/** What setting the bootstrap key did. */
export interface BootstrapChange {
  readonly keyId: string;
  /** Whether nothing was changed, because this very key was revoked or has expired. */
  readonly isRefused: boolean;
  /** Ids of the keys that were revoked. */
  readonly replaced: readonly string[];
}

/** Creates, checks and revokes API keys. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly accounts: AccountsRepository,
    private readonly clock: Clock,
  ) {}

  /** Creates a key of an account. Its text is returned here only: it cannot be shown again. */
  async create(account: Account, wanted: NewApiKey): Promise<{ key: ApiKey; text: string }> {
    const text = generateKeyText();
    return { key: await this.store(account, wanted, text), text };
  }

  /**
   * Makes the text of `BOOTSTRAP_API_KEY` the bootstrap key, of an account if it is new. Its
   * predecessor is revoked. A text that was revoked once stays so.
   */
  async setBootstrapKey(account: Account, text: string): Promise<BootstrapChange> {
    const now = this.clock.now();
    const known = await this.keys.findByHash(hashKeyText(text));
    if (known && !isValidAt(known, now)) return { keyId: known.id, isRefused: true, replaced: [] };
    const { id } = known ?? (await this.store(account, { name: BOOTSTRAP_NAME, scope: 'admin' }, text));
    return { keyId: id, isRefused: false, replaced: await this.keys.makeBootstrap(id, BOOTSTRAP_NAME, now) };
  }

  /**
   * Finds the account of a key, in the catalog: a key that another process revokes ends at once.
   *
   * @throws {InvalidApiKeyError} for a missing, unknown, revoked or expired key alike.
   */
  async authenticate(text: string | undefined): Promise<{ account: Account; key: ApiKey }> {
    const key = text ? await this.keys.findByHash(hashKeyText(text)) : undefined;
    const now = this.clock.now();
    if (!key || !isValidAt(key, now)) throw new InvalidApiKeyError();
    if (now.getTime() - (key.lastUsedAt?.getTime() ?? 0) >= LAST_USED_PRECISION_MS)
      await this.keys.setLastUsed(key.id, now);
    return { account: await this.accounts.get(key.accountId), key };
  }

  /** Keys of one account, or of all, oldest first. */
  async list(account?: Account): Promise<ApiKey[]> {
    return await this.keys.list(account?.id);
  }

  /** Ends a key at once, in every process. @throws {ApiKeyNotFoundError} */
  async revoke(id: string): Promise<void> {
    if (!(await this.keys.revoke(id, this.clock.now()))) throw new ApiKeyNotFoundError(id);
  }

  private async store(
    account: Account,
    { name, scope, expiresDays, trigger }: NewApiKey,
    text: string,
  ): Promise<ApiKey> {
    const createdAt = this.clock.now();
    const expiresAt = expiresDays === undefined ? undefined : new Date(createdAt.getTime() + expiresDays * DAY_MS);
    const key = {
      id: ulid(createdAt.getTime()),
      accountId: account.id,
      name,
      scope,
      prefix: keyTextPrefix(text),
      createdAt,
      expiresAt,
      trigger,
    };
    await this.keys.insert(key, hashKeyText(text));
    return key;
  }
}
