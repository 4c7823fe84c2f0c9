import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SetClock } from '../../test/support/set-clock.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { AccountsRepository } from '../auth/accounts.repository.js';
import { AccountsService } from '../auth/accounts.service.js';
import { ApiKeysRepository } from '../auth/api-keys.repository.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { Catalog } from '../catalog/catalog.js';
import { Config } from '../config/config.js';
import { QueriesRepository } from '../queries/queries.repository.js';
import { QueriesService } from '../queries/queries.service.js';
import { openTableStore } from '../storage/storage.module.js';
import { TableChangesRepository } from '../uploads/table-changes.repository.js';
import { TablesRepository } from '../uploads/tables.repository.js';
import { TablesService } from '../uploads/tables.service.js';
import { FirstStart } from './first-start.js';
import { FirstStartRepository } from './first-start.repository.js';
import { SampleData } from './sample-data.js';

const ALL = { limit: 100, offset: 0 };

describe('FirstStart', () => {
  const clock = new SetClock();
  let dataDir: string;
  let catalog: Catalog;
  let accounts: AccountsService;
  let keys: ApiKeysService;
  let queries: QueriesService;
  let tables: TablesService;

  beforeEach(async () => {
    dataDir = temporaryFolder();
    catalog = await Catalog.open(dataDir);
    const accountsRepository = new AccountsRepository(catalog);
    accounts = new AccountsService(accountsRepository, clock);
    keys = new ApiKeysService(new ApiKeysRepository(catalog), accountsRepository, clock);
    queries = new QueriesService(new QueriesRepository(catalog), clock);
    const config = Object.assign(new Config(), { DATA_DIR: dataDir });
    const changes = new TableChangesRepository(catalog, clock);
    tables = new TablesService(config, new TablesRepository(catalog), changes, accounts, openTableStore(config));
  });

  afterEach(async () => {
    await catalog.destroy();
  });

  /** A start of the service with some settings, that prepares the data folder. */
  async function start(settings: Partial<Config> = {}) {
    const config = Object.assign(new Config(), { DATA_DIR: dataDir, ...settings });
    const progress = new FirstStartRepository(catalog);
    const firstStart = new FirstStart(config, clock, progress, accounts, keys, new SampleData(tables, queries));
    return { firstStart, prepared: await firstStart.prepare() };
  }

  /** A whole start; gives each key that was shown, `undefined` for an end without one. */
  async function startWhole(settings: Partial<Config> = {}): Promise<(string | undefined)[]> {
    const { firstStart, prepared } = await start(settings);
    const shown: (string | undefined)[] = [];
    if (prepared) await firstStart.finish(prepared, (key) => void shown.push(key));
    return shown;
  }

  /** Everything that a start makes. */
  async function made() {
    const all = await accounts.list();
    const [account] = all;
    if (!account) throw new Error('There is no account');
    return {
      accounts: all,
      keys: await keys.list(),
      tables: (await tables.list(account, ALL)).tables,
      queries: (await queries.list(account, ALL)).queries,
    };
  }

  it('makes the account demo with a key of scope admin', async () => {
    const [key] = await startWhole();
    const { account, key: known } = await keys.authenticate(key);
    expect(account).toMatchObject({ handle: 'demo', type: 'user', plan: 'premium' });
    expect(known).toMatchObject({ name: 'first key', scope: 'admin' });
  });

  it('gives it public tables and three public queries, one of them with parameters', async () => {
    await startWhole();
    const { tables: installed, queries: saved } = await made();
    expect(installed.map(({ name }) => name)).toEqual(['airports', 'earthquakes', 'flights', 'weather']);
    expect(installed.filter(({ isPrivate }) => isPrivate)).toEqual([]);
    expect(saved.map(({ isPrivate }) => isPrivate)).toEqual([false, false, false]);
    expect(saved.filter(({ parameters }) => parameters.length > 0)).toHaveLength(1);
  });

  it('says which query to try', async () => {
    const { prepared } = await start();
    expect(prepared).toMatchObject({ account: { handle: 'demo' }, exampleQueryId: 1 });
  });

  it('makes an account and a key only, with SAMPLE_DATA=false', async () => {
    const [key] = await startWhole({ SAMPLE_DATA: false });
    expect((await keys.authenticate(key)).account.handle).toBe('demo');
    expect(await made()).toMatchObject({ tables: [], queries: [] });
  });

  it('makes no key beside BOOTSTRAP_API_KEY', async () => {
    const text = 'key-of-the-first-start';
    expect(await startWhole({ BOOTSTRAP_API_KEY: text, SAMPLE_DATA: false })).toEqual([undefined]);
    expect((await keys.authenticate(text)).account.handle).toBe('demo');
    expect((await made()).keys).toHaveLength(1);
  });

  it('adds and shows nothing the second time', async () => {
    await startWhole();
    const first = await made();
    expect(await startWhole()).toEqual([]);
    expect(await made()).toEqual(first);
  });

  it('adds nothing to a data folder that has an account, except a BOOTSTRAP_API_KEY', async () => {
    await accounts.create({ handle: 'ada', type: 'user', plan: 'free' });
    const text = 'key-of-the-first-start';
    expect(await startWhole({ BOOTSTRAP_API_KEY: text })).toEqual([]);
    expect((await keys.authenticate(text)).account.handle).toBe('ada');
    expect(await made()).toMatchObject({ accounts: [{ handle: 'ada' }], tables: [], queries: [] });
  });

  it('replaces the key of an earlier BOOTSTRAP_API_KEY, and leaves it where there is none', async () => {
    const [before, after] = ['key-of-the-first-start', 'key-of-the-second-start'];
    await startWhole({ BOOTSTRAP_API_KEY: before, SAMPLE_DATA: false });
    await startWhole({ SAMPLE_DATA: false });
    expect((await keys.authenticate(before)).account.handle).toBe('demo');
    await startWhole({ BOOTSTRAP_API_KEY: after, SAMPLE_DATA: false });
    await expect(keys.authenticate(before)).rejects.toThrow('invalid API Key');
    expect((await keys.authenticate(after)).account.handle).toBe('demo');
  });

  it('goes on with a start that was cut off, with the settings of the next', async () => {
    await start({ SAMPLE_DATA: false });
    const [key] = await startWhole();
    expect((await keys.authenticate(key)).account.handle).toBe('demo');
    const { accounts: all, tables: installed, queries: saved } = await made();
    expect([all.length, installed.length, saved.length]).toEqual([1, 4, 3]);
    expect(await startWhole()).toEqual([]);
  });

  it('shows another key after a start that was cut off while it showed the first, unless that has been used', async () => {
    const { firstStart, prepared } = await start({ SAMPLE_DATA: false });
    if (!prepared) throw new Error('This is no first start');
    const shown: (string | undefined)[] = [];
    const cutOff = firstStart.finish(prepared, (key) => {
      shown.push(key);
      throw new Error('cut off');
    });
    await expect(cutOff).rejects.toThrow('cut off');
    const again = await start({ SAMPLE_DATA: false });
    await expect(
      again.firstStart.finish(prepared, (key) => {
        shown.push(key);
        throw new Error('cut off');
      }),
    ).rejects.toThrow('cut off');
    expect(new Set(shown).size).toBe(2);
    for (const key of shown) expect((await keys.authenticate(key)).account.handle).toBe('demo');
    expect(await startWhole({ SAMPLE_DATA: false })).toEqual([undefined]);
    expect((await made()).keys).toHaveLength(2);
  });
});
