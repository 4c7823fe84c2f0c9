import { Injectable } from '@nestjs/common';
import { AccountsService } from '../auth/accounts.service.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { Config } from '../config/config.js';
import { SampleData } from './sample-data.js';

/** What the first start made, to be shown once. */
export interface FirstStartOutcome {
  /** The key of the account `demo`, if this start made one. */
  readonly key?: string;
  /** A saved query to try. */
  readonly exampleQueryId?: number;
}

/** Makes a new data folder usable: an account, a key, sample tables and queries. */
@Injectable()
export class FirstStart {
  constructor(
    private readonly config: Config,
    private readonly accounts: AccountsService,
    private readonly keys: ApiKeysService,
    private readonly sample: SampleData,
  ) {}

  /** Does nothing to a data folder that has an account, save giving the first account its `BOOTSTRAP_API_KEY`. */
  async prepare(): Promise<FirstStartOutcome> {
    const [first] = await this.accounts.list();
    const account = first ?? (await this.accounts.create({ handle: 'demo', type: 'user', plan: 'premium' }));
    const { BOOTSTRAP_API_KEY, SAMPLE_DATA } = this.config;
    if (BOOTSTRAP_API_KEY) await this.keys.ensureBootstrapKey(account, BOOTSTRAP_API_KEY);
    if (first) return {};
    const exampleQueryId = SAMPLE_DATA ? await this.sample.install(account) : undefined;
    if (BOOTSTRAP_API_KEY) return { exampleQueryId };
    const { text } = await this.keys.create(account, { name: 'first key', scope: 'admin' });
    return { key: text, exampleQueryId };
  }
}
