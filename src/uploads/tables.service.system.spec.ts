import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SetClock } from '../../test/support/set-clock.js';
import { openTemporaryCatalog, type TemporaryCatalog } from '../../test/support/temporary-catalog.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import type { Account } from '../auth/account.js';
import { AccountsRepository } from '../auth/accounts.repository.js';
import { AccountsService } from '../auth/accounts.service.js';
import { Config } from '../config/config.js';
import { TableStore } from '../storage/storage.module.js';
import { toTableColumn } from '../types/column-types.js';
import type { NewTable } from './table.js';
import { TableChangesRepository } from './table-changes.repository.js';
import { TablesRepository } from './tables.repository.js';
import { TablesService } from './tables.service.js';

describe('TablesService', () => {
  let temporary: TemporaryCatalog;
  let files: string;
  let store: TableStore;
  let changes: TableChangesRepository;
  let tables: TablesService;
  let ada: Account;
  let bob: Account;

  beforeEach(async () => {
    temporary = await openTemporaryCatalog();
    files = temporaryFolder();
    const clock = new SetClock();
    const accounts = new AccountsService(new AccountsRepository(temporary.catalog), clock);
    const config = Object.assign(new Config(), { LINK_ROOTS: [files] });
    store = new TableStore('store');
    changes = new TableChangesRepository(temporary.catalog, clock);
    tables = new TablesService(config, new TablesRepository(temporary.catalog), changes, accounts, store);
    ada = await accounts.create({ handle: 'ada', type: 'user', plan: 'premium' });
    bob = await accounts.create({ handle: 'bob', type: 'user', plan: 'premium' });
  });

  afterEach(async () => {
    await temporary.close();
  });

  async function givenTable(owner: Account, name: string, more: Partial<NewTable> = {}): Promise<void> {
    const parts = [1, 2].map((n) => ({ blob: `${owner.handle}-${name}-${n}`, rowCount: 1, sizeBytes: 1 }));
    await changes.create({ accountId: owner.id, name, description: '', isPrivate: false, columns: [], parts, ...more });
  }

  const namesFor = async (account: Account, ...references: { namespace?: string; name: string }[]) =>
    (await tables.findForRun(references, account.id)).map(({ namespace, name }) => `${namespace}.${name}`);

  describe('findNearNames', () => {
    it('finds own tables and public ones of others, and nothing of what is private to them', async () => {
      await givenTable(ada, 'sizes', { isPrivate: true });
      await givenTable(bob, 'sizzes');
      await givenTable(bob, 'sides', { isPrivate: true });
      expect(await tables.findNearNames({ name: 'sizess' }, ada.id)).toEqual(['sizes', 'bob.sizzes']);
      expect(await tables.findNearNames({ namespace: 'bob', name: 'side' }, ada.id)).toEqual([]);
    });
  });

  describe('findForRun', () => {
    it("finds the account's own tables by bare and by full name, in any case, and each only once", async () => {
      await givenTable(ada, 'sizes', { isPrivate: true });
      expect(await namesFor(ada, { name: 'SIZES' }, { namespace: 'Ada', name: 'sizes' })).toEqual(['ada.sizes']);
    });

    it('tells where the parts are, in order, and whether the bare name finds them', async () => {
      await givenTable(ada, 'sizes');
      const parts = ['ada-sizes-1', 'ada-sizes-2'].map((blob) => store.pathOf(blob));
      const shared = { namespace: 'ada', name: 'sizes', isPrivate: false, parts, casts: [] };
      expect(await tables.findForRun([{ name: 'sizes' }], ada.id)).toEqual([{ ...shared, isBareName: true }]);
      const reference = { namespace: 'ada', name: 'sizes' };
      expect(await tables.findForRun([reference], bob.id)).toEqual([{ ...shared, isBareName: false }]);
    });

    it('finds public tables of others by their full name only, and private ones not at all', async () => {
      await givenTable(ada, 'open');
      await givenTable(ada, 'secret', { isPrivate: true });
      expect(await namesFor(bob, { namespace: 'ada', name: 'open' })).toEqual(['ada.open']);
      expect(await namesFor(bob, { name: 'open' }, { name: 'secret' }, { namespace: 'ada', name: 'secret' })).toEqual(
        [],
      );
    });

    it('tells which columns are to be cast', async () => {
      const columns = [toTableColumn('n', 'bigint', true), toTableColumn('wide', 'uint256', true)];
      await givenTable(ada, 'sizes', { columns });
      const [found] = await tables.findForRun([{ name: 'sizes' }], ada.id);
      expect(found?.casts).toEqual([{ name: 'wide', type: { kind: 'scalar', name: 'BIGNUM' } }]);
    });

    it('finds the files that a linked table has now', async () => {
      const columns = [toTableColumn('n', 'bigint', true), toTableColumn('year', 'bigint', true)];
      const source = { format: 'csv', pattern: join(files, '**/*.csv') } as const;
      await givenTable(ada, 'linked', { parts: [], columns, source });
      for (const year of [2025, 2026]) {
        await mkdir(join(files, `year=${year}`));
        await writeFile(join(files, `year=${year}`, 'a.csv'), 'n\n1\n');
      }
      const relativePaths = ['year=2025/a.csv', 'year=2026/a.csv'];
      expect(await tables.findForRun([{ name: 'linked' }], ada.id)).toMatchObject([
        {
          parts: relativePaths.map((path) => join(files, path)),
          reading: { format: 'csv', relativePaths, isHive: true, columns: [{ name: 'n' }] },
        },
      ]);
    });

    it('finds a linked table whose files are gone as one whose data is missing', async () => {
      await givenTable(ada, 'linked', { parts: [], source: { format: 'csv', pattern: join(files, 'gone.csv') } });
      const found = await tables.findForRun([{ name: 'linked' }], ada.id);
      expect(found).toEqual([expect.objectContaining({ name: 'linked', parts: [], isMissing: true })]);
    });
  });

  it('lets an account change only its own tables', async () => {
    await givenTable(ada, 'sizes');
    const name = { namespace: 'ada', name: 'sizes' };
    for (const call of [
      tables.getOwn(bob, name),
      tables.delete(bob, name),
      tables.getOwn(ada, { ...name, name: 'none' }),
    ])
      await expect(call).rejects.toMatchObject({ kind: 'not_found', message: 'Table not found' });
    expect(await tables.getOwn(ada, name)).toMatchObject({ name: 'sizes' });
  });

  it('lets nobody change a linked table', async () => {
    await givenTable(ada, 'linked', { parts: [], source: { format: 'csv', pattern: '/data/a.csv' } });
    const name = { namespace: 'ada', name: 'linked' };
    await expect(tables.delete(ada, name)).rejects.toMatchObject({ kind: 'conflict', code: 'linked_table' });
  });
});
