import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SetClock } from '../../test/support/set-clock.js';
import { openTemporaryCatalog, type TemporaryCatalog } from '../../test/support/temporary-catalog.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { AccountsRepository } from '../auth/accounts.repository.js';
import type { AccountId } from '../catalog/ids.js';
import { Config } from '../config/config.js';
import { TableStore } from '../storage/storage.module.js';
import { RemovedPartsRepository } from '../uploads/removed-parts.repository.js';
import { TableChangesRepository } from '../uploads/table-changes.repository.js';
import { OrphanSweep } from './orphan-sweep.js';
import { OrphansRepository } from './orphans.repository.js';
import { TableSweep } from './table-sweep.js';

const ADA = 'ada' as AccountId;
const HOUR = 3_600;

describe('TableSweep', () => {
  let clock: SetClock;
  let temporary: TemporaryCatalog;
  let folder: string;
  let store: TableStore;
  let changes: TableChangesRepository;
  let sweeper: TableSweep;

  beforeEach(async () => {
    clock = new SetClock();
    temporary = await openTemporaryCatalog();
    folder = temporaryFolder();
    store = new TableStore(join(folder, 'tables'));
    changes = new TableChangesRepository(temporary.catalog, clock);
    const orphans = new OrphanSweep(new Config(), clock, new OrphansRepository(temporary.catalog));
    sweeper = new TableSweep(new RemovedPartsRepository(temporary.catalog), store, orphans);
    const account = { id: ADA, handle: 'ada', type: 'user', plan: 'free', createdAt: clock.now() } as const;
    await new AccountsRepository(temporary.catalog).insert(account);
  });

  afterEach(async () => {
    await temporary.close();
  });

  /** Puts a blob into the store, by the clock of the test. */
  async function givenBlob(blob: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, 'staged');
    await writeFile(path, 'rows');
    await store.adopt(path, blob);
    await utimes(store.pathOf(blob), clock.now(), clock.now());
  }

  async function givenTable(...blobs: string[]): Promise<void> {
    for (const blob of blobs) await givenBlob(blob);
    const parts = blobs.map((blob) => ({ blob, rowCount: 1, sizeBytes: 4 }));
    const table = { accountId: ADA, name: 'sizes', description: '', isPrivate: false, columns: [], parts };
    await changes.replace(table);
  }

  async function storedBlobs(): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of store.list()) names.push(name);
    return names.toSorted();
  }

  const sweep = async ({ isDryRun = false } = {}) => {
    const { removed, orphans } = await sweeper.sweep(clock.now(), { isDryRun });
    return { removed, orphans: orphans.deleted, kept: orphans.kept };
  };

  it('never touches the parts of a table', async () => {
    await givenTable('a', 'b');
    clock.advance({ seconds: 1_000 * HOUR });
    expect(await sweep()).toEqual({ removed: [], orphans: [], kept: [] });
    expect(await storedBlobs()).toEqual(['a', 'b']);
  });

  it('deletes replaced parts after a grace time, counted from when they were replaced', async () => {
    await givenTable('a', 'b');
    clock.advance({ seconds: 1_000 * HOUR });
    await givenTable('c');
    clock.advance({ seconds: HOUR });
    expect(await sweep()).toEqual({ removed: [], orphans: [], kept: [] });
    clock.advance({ seconds: 1 });
    expect(await sweep()).toEqual({ removed: ['a', 'b'], orphans: [], kept: [] });
    expect(await storedBlobs()).toEqual(['c']);
    expect(await sweep()).toEqual({ removed: [], orphans: [], kept: [] });
  });

  it('keeps on its list what the sweep at the start has found, however young it is', async () => {
    await givenBlob('left');
    clock.advance({ seconds: 1 });
    const atStart = await sweeper.sweepOrphansBefore(clock.now(), { isDryRun: false });
    expect(atStart.found).toEqual(['left']);
    expect(await sweep()).toEqual({ removed: [], orphans: [], kept: ['left'] });
    clock.advance({ seconds: 24 * HOUR });
    expect(await sweep()).toEqual({ removed: [], orphans: ['left'], kept: [] });
  });

  it('deletes what a crash left behind before it was in the catalog, a grace time after it was found', async () => {
    await givenBlob('a');
    clock.advance({ seconds: HOUR });
    expect(await sweep()).toEqual({ removed: [], orphans: [], kept: [] });
    clock.advance({ seconds: 1 });
    expect(await sweep()).toEqual({ removed: [], orphans: [], kept: ['a'] });
    clock.advance({ seconds: 24 * HOUR - 1 });
    expect(await sweep()).toEqual({ removed: [], orphans: [], kept: ['a'] });
    clock.advance({ seconds: 1 });
    expect(await sweep()).toEqual({ removed: [], orphans: ['a'], kept: [] });
    expect(await storedBlobs()).toEqual([]);
  });

  it('only tells what it would delete in a dry run', async () => {
    await givenBlob('orphan');
    clock.advance({ seconds: 2 * HOUR });
    await sweep();
    await givenTable('a');
    await givenTable('b');
    await givenBlob('later');
    clock.advance({ seconds: 24 * HOUR });
    const report = { removed: ['a'], orphans: ['orphan'], kept: ['later'] };
    expect(await sweep({ isDryRun: true })).toEqual(report);
    clock.advance({ seconds: 24 * HOUR });
    expect(await sweep({ isDryRun: true })).toEqual(report);
    expect(await storedBlobs()).toEqual(['a', 'b', 'later', 'orphan']);
  });

  it('goes on where a crash stopped it between the file and the row', async () => {
    await givenTable('a');
    await givenTable('b');
    await store.delete('a');
    clock.advance({ seconds: 2 * HOUR });
    expect((await sweep()).removed).toEqual(['a']);
    expect((await sweep()).removed).toEqual([]);
  });
});
