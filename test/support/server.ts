import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../../src/app.js';
import type { Plan } from '../../src/auth/account.js';
import { AccountsService } from '../../src/auth/accounts.service.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import type { Scope } from '../../src/auth/scope.js';
import { Clock } from '../../src/config/clock.js';
import { loadConfig } from '../../src/config/load-config.js';
import { ExecutionEvents } from '../../src/executions/execution-events.js';
import { FirstStart } from '../../src/first-start/first-start.js';
import { ApiClient } from './api-client.js';

const SETTINGS = {
  PORT: '0',
  LOG_LEVEL: 'silent',
  SAMPLE_DATA: 'false',
  WORKERS: '1',
  WORKER_MEMORY: '512MB',
  WORKER_THREADS: '1',
  READERS: '1',
  READER_MEMORY: '512MB',
  SHUTDOWN_GRACE: '100ms',
};

/**
 * The real application on a free port, in a data folder of its own, with an account `demo` and its
 * key.
 */
export class TestServer extends ApiClient {
  private constructor(
    readonly app: NestFastifyApplication,
    url: string,
    readonly dataDir: string,
    key: string,
    brands: string,
    private readonly ownsFolder: boolean,
  ) {
    super(url, key, brands);
  }

  /**
   * @param settings on top of small defaults; `DATA_DIR` to start on an existing folder.
   * @param clock the time that the service gets.
   */
  static async start(settings: Record<string, string> = {}, { clock }: { clock?: Clock } = {}): Promise<TestServer> {
    const dataDir = settings.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'eider-')));
    const app = await createApp(loadConfig({ ...SETTINGS, ...settings, DATA_DIR: dataDir }));
    if (clock) app.get(Clock).now = () => clock.now();
    await app.init();
    await app.get(FirstStart).prepare();
    const [account] = await app.get(AccountsService).list();
    if (!account) throw new Error('The first start made no account');
    const { text } = await app.get(ApiKeysService).create(account, { name: 'test', scope: 'admin' });
    await app.listen(0, '127.0.0.1');
    const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
    return new TestServer(app, url, dataDir, text, settings.HEADER_BRANDS ?? '', !settings.DATA_DIR);
  }

  async stop(): Promise<void> {
    await this.app.close();
    if (this.ownsFolder) await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Makes an account and gives its key. */
  async givenKey(
    handle: string,
    { plan = 'premium', scope = 'admin' }: { plan?: Plan; scope?: Scope } = {},
  ): Promise<string> {
    const accounts = this.app.get(AccountsService);
    const known = (await accounts.list()).find((account) => account.handle === handle);
    const account = known ?? (await accounts.create({ handle, type: 'user', plan }));
    return (await this.app.get(ApiKeysService).create(account, { name: 'test', scope })).text;
  }

  protected async listenForChange(): Promise<() => Promise<void>> {
    const changed = new Promise<void>((resolve) => {
      const stop = this.app.get(ExecutionEvents).onChanged(() => {
        stop();
        resolve();
      });
    });
    return () => changed;
  }
}
