import { Injectable, Logger } from '@nestjs/common';
import type { Account } from '../auth/account.js';
import { AccountsService } from '../auth/accounts.service.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { Clock } from '../config/clock.js';
import { Config } from '../config/config.js';
import { failpoint } from '../config/failpoint.js';
import { FirstStartRepository } from './first-start.repository.js';
import { SampleData } from './sample-data.js';

/** What a first start has made, but for the key. */
export interface Prepared {
  readonly account: Account;
  /** A saved query to try. */
  readonly exampleQueryId?: number | undefined;
}

const HANDLE = 'demo';
const KEY_NAME = 'first key';

/**
 * Makes a new data folder usable: an account, a key, sample tables and queries. Its end is written
 * last, once the key is shown: after an interruption, the next start makes what is missing.
 */
@Injectable()
export class FirstStart {
  private readonly logger = new Logger(FirstStart.name);

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly progress: FirstStartRepository,
    private readonly accounts: AccountsService,
    private readonly keys: ApiKeysService,
    private readonly sample: SampleData,
  ) {}

  /**
   * Does nothing to a data folder that has an account made otherwise or a first start that has
   * ended, except giving the oldest account the `BOOTSTRAP_API_KEY`.
   *
   * @returns what is to be finished, in a first start.
   */
  async prepare(): Promise<Prepared | undefined> {
    const accounts = await this.accounts.list();
    if (accounts.length === 0) await this.progress.begin(HANDLE, this.clock.now());
    const unfinished = await this.progress.findUnfinished();
    const account = unfinished === undefined ? accounts[0] : await this.ensureAccount(unfinished, accounts);
    const { BOOTSTRAP_API_KEY, SAMPLE_DATA } = this.config;
    if (account && BOOTSTRAP_API_KEY) await this.setBootstrapKey(account, BOOTSTRAP_API_KEY);
    if (!account || unfinished === undefined) return undefined;
    return { account, exampleQueryId: SAMPLE_DATA ? await this.sample.install(account) : undefined };
  }

  /**
   * Ends a first start.
   *
   * @param show gets the text of the key that was made, if one was; it is shown when `show` has
   *   ended.
   */
  async finish({ account }: Prepared, show: (key: string | undefined) => void | Promise<void>): Promise<void> {
    const key = (await this.hasKey(account)) ? undefined : await this.createKey(account);
    await show(key);
    await failpoint('first-key-shown');
    await this.progress.end(account.handle, this.clock.now());
  }

  private async setBootstrapKey(account: Account, text: string): Promise<void> {
    const { keyId, isRefused, replaced } = await this.keys.setBootstrapKey(account, text);
    if (isRefused)
      this.logger.warn({ key: keyId }, 'BOOTSTRAP_API_KEY is a key that was revoked or has expired: set a new one');
    if (replaced.length > 0)
      this.logger.warn({ key: keyId, revoked: replaced }, 'BOOTSTRAP_API_KEY has changed: revoked what it was before');
  }

  private async ensureAccount(handle: string, accounts: readonly Account[]): Promise<Account> {
    const existing = accounts.find((account) => account.handle === handle);
    if (existing) return existing;
    const created = await this.accounts.create({ handle, type: 'user', plan: 'premium' });
    await failpoint('first-account-created');
    return created;
  }

  /** A key that was made before an interruption may not have been shown, unless it was used. */
  private async hasKey(account: Account): Promise<boolean> {
    if (this.config.BOOTSTRAP_API_KEY) return true;
    return (await this.keys.list(account)).some(({ name, lastUsedAt }) => name === KEY_NAME && lastUsedAt);
  }

  private async createKey(account: Account): Promise<string> {
    const { text } = await this.keys.create(account, { name: KEY_NAME, scope: 'admin' });
    await failpoint('first-key-created');
    return text;
  }
}
