import { rmSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inCatalogOf } from '../../test/support/in-catalog.js';
import { SetClock } from '../../test/support/set-clock.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { AccountsRepository } from '../auth/accounts.repository.js';
import { Catalog } from '../catalog/catalog.js';
import type { AccountId, ExecutionId } from '../catalog/ids.js';
import type { Execution } from '../executions/execution.js';
import { ExecutionsRepository } from '../executions/executions.repository.js';
import { TableChangesRepository } from '../uploads/table-changes.repository.js';
import { BackupFolder } from './backup-folder.js';
import { type BlobStores, openStores } from './catalog-blobs.js';
import { createBackup } from './create-backup.js';
import { restoreBackup } from './restore-backup.js';
import { verifyBackup } from './verify-backup.js';
import type { WorkOptions } from './work-options.js';

const ADA = '1' as AccountId;
const AT = new SetClock().now();
const LATER = new Date(AT.getTime() + 60_000);
const CONTENT = 'PAR1 and so on PAR1';

describe('createBackup', () => {
  let folder: string;
  let dataDir: string;
  let catalog: Catalog;
  let stores: BlobStores;
  let executions: ExecutionsRepository;
  let target: BackupFolder;

  beforeEach(async () => {
    folder = temporaryFolder();
    dataDir = join(folder, 'data');
    catalog = await Catalog.open(dataDir);
    stores = openStores(dataDir);
    executions = new ExecutionsRepository(catalog);
    await new AccountsRepository(catalog).insert({ id: ADA, handle: 'ada', type: 'user', plan: 'free', createdAt: AT });
    target = await BackupFolder.open(join(folder, 'backups'), dataDir);
  });
  afterEach(async () => {
    target.close();
    await catalog.destroy();
  });

  const backUp = (options: WorkOptions = {}) => createBackup(target, { catalog, stores }, options);

  async function givenBlob(store: 'results' | 'tables', name: string): Promise<void> {
    const staged = join(folder, 'staged');
    await writeFile(staged, CONTENT);
    await stores[store].adopt(staged, name);
  }

  async function givenResult(name: string): Promise<void> {
    const id = await givenRunning(name);
    await givenBlob('results', `${id}.parquet`);
    const sizes = { rowCount: 1, fileBytes: CONTENT.length, logicalBytes: 1, maxRowBytes: 1 };
    const end = { isTruncated: false, readPrivateTable: false, endedAt: AT, expiresAt: LATER };
    await executions.complete(id, { file: `${id}.parquet`, columns: [], ...sizes }, end);
  }

  async function givenRunning(name: string): Promise<ExecutionId> {
    const id = name as ExecutionId;
    const origin = { trigger: 'api', submittedBy: 'k' } as const;
    const execution: Execution = {
      id,
      accountId: ADA,
      sql: 'SELECT 1',
      parameters: {},
      replacements: [],
      performance: 'medium',
      state: 'PENDING',
      attempt: 0,
      readPrivateTable: false,
      submittedAt: AT,
      expiresAt: LATER,
      origin,
    };
    await executions.insert(execution, undefined);
    await executions.begin(id, 1, AT);
    return id;
  }

  async function givenTable(name: string, ...blobs: string[]): Promise<void> {
    for (const blob of blobs) await givenBlob('tables', blob);
    const parts = blobs.map((blob) => ({ blob, rowCount: 1, sizeBytes: CONTENT.length }));
    const table = { accountId: ADA, name, description: '', isPrivate: false, columns: [], parts };
    await new TableChangesRepository(catalog, new SetClock()).create(table);
  }

  const pathsOf = ({ manifest }: { manifest: { files: readonly { path: string }[] } }) =>
    manifest.files.map(({ path }) => path).toSorted();

  it('copies the catalog and every blob that it refers to, and nothing else', async () => {
    await givenResult('AA');
    await givenTable('sizes', 'BB.parquet');
    await givenBlob('results', 'orphan.parquet');
    const { path, manifest, copiedFiles } = await backUp();
    expect(pathsOf({ manifest })).toEqual(['catalog.db', 'results/AA/AA.parquet', 'tables/BB/BB.parquet']);
    expect(manifest).toMatchObject({ format: 1, catalog_version: expect.stringMatching(/^\d{3}-/), problems: [] });
    expect(copiedFiles).toBe(2);
    expect(await readFile(join(path, 'results/AA/AA.parquet'), 'utf8')).toBe(CONTENT);
    expect(await verifyBackup(path, {})).toMatchObject({ problems: [] });
  });

  it('shares the files of the backup before, unless all are to be copied', async () => {
    await givenResult('AA');
    const first = await backUp();
    await givenResult('CC');
    const second = await backUp();
    expect(second.copiedFiles).toBe(1);
    expect(pathsOf(second)).toEqual(['catalog.db', 'results/AA/AA.parquet', 'results/CC/CC.parquet']);
    const inodeIn = async (path: string) => (await stat(join(path, 'results/AA/AA.parquet'))).ino;
    expect(await inodeIn(second.path)).toBe(await inodeIn(first.path));
    const full = await createBackup(target, { catalog, stores }, { isFull: true });
    expect(full.copiedFiles).toBe(2);
    expect(await inodeIn(full.path)).not.toBe(await inodeIn(first.path));
  });

  it('copies a blob again that the backup before lacks, or has with another size', async () => {
    await givenResult('AA');
    const first = await backUp();
    await rm(join(first.path, 'results/AA/AA.parquet'));
    expect((await backUp()).copiedFiles).toBe(1);
  });

  it('follows what is deleted between the copy of the catalog and that of its blobs', async () => {
    for (const id of ['AA', 'BB', 'CC']) await givenResult(id);
    let isDeleted = false;
    // The first call is between the two.
    const onProgress = () => {
      if (isDeleted) return;
      inCatalogOf(dataDir, "UPDATE executions SET state = 'EXPIRED', result_file = NULL WHERE id = 'BB'");
      rmSync(stores.results.pathOf('BB.parquet'));
      isDeleted = true;
    };
    const { path, manifest } = await backUp({ onProgress });
    expect(pathsOf({ manifest })).toEqual(['catalog.db', 'results/AA/AA.parquet', 'results/CC/CC.parquet']);
    expect(manifest.problems).toEqual([]);
    expect((await verifyBackup(path, {})).problems).toEqual([]);
    const copy = Catalog.openToRead(join(path, 'catalog.db'));
    expect(
      await copy
        .selectFrom('executions')
        .select('state')
        .where('id', '=', 'BB' as ExecutionId)
        .execute(),
    ).toEqual([{ state: 'EXPIRED' }]);
    await copy.destroy();
  });

  it('removes blobs that were deleted after they were copied, when the catalog is copied again', async () => {
    for (const id of ['AA', 'BB']) await givenResult(id);
    const deleteAll = () => {
      inCatalogOf(dataDir, "UPDATE executions SET state = 'EXPIRED', result_file = NULL");
      rmSync(stores.results.pathOf('BB.parquet'), { force: true });
    };
    const { path, manifest } = await backUp({ onProgress: deleteAll });
    expect(pathsOf({ manifest })).toEqual(['catalog.db']);
    expect((await readdir(path, { recursive: true })).filter((name) => name.endsWith('.parquet'))).toEqual([]);
  });

  it('names blobs that the data folder has lost, or that are damaged, and copies the others', async () => {
    for (const id of ['AA', 'BB', 'CC']) await givenResult(id);
    await stores.results.delete('AA.parquet');
    await rm(stores.results.pathOf('BB.parquet'));
    await writeFile(stores.results.pathOf('BB.parquet'), 'half');
    const { path, manifest } = await backUp();
    expect(manifest.problems).toEqual([
      { path: 'results/BB/BB.parquet', problem: `has 4 bytes instead of ${CONTENT.length}` },
      { path: 'results/AA/AA.parquet', problem: 'is missing' },
    ]);
    expect(pathsOf({ manifest })).toEqual(['catalog.db', 'results/BB/BB.parquet', 'results/CC/CC.parquet']);
    expect((await verifyBackup(path, {})).problems).toEqual([]);
  });

  it('leaves nothing when it is interrupted', async () => {
    await givenResult('AA');
    const interrupt = new AbortController();
    const ended = backUp({ signal: interrupt.signal, onProgress: () => interrupt.abort() });
    await expect(ended).rejects.toThrow('Interrupted: what was written has been removed');
    expect((await readdir(target.path)).filter((name) => !name.startsWith('backup.lock'))).toEqual([]);
  });

  it('lets executions that were running wait again once it is restored, and changes nothing of the backup', async () => {
    await givenRunning('AA');
    await givenResult('BB');
    const { path } = await backUp();
    const restored = join(folder, 'restored');
    expect(await restoreBackup(path, restored, {})).toMatchObject({ requeued: 1 });
    const copy = await Catalog.openExisting(restored);
    expect(await copy.selectFrom('executions').select(['id', 'state']).orderBy('id').execute()).toEqual([
      { id: 'AA', state: 'PENDING' },
      { id: 'BB', state: 'COMPLETED' },
    ]);
    await copy.destroy();
    expect((await verifyBackup(path, {})).problems).toEqual([]);
    const inodes = await Promise.all([path, restored].map((name) => stat(join(name, 'results/BB/BB.parquet'))));
    expect(inodes[0]?.ino).not.toBe(inodes[1]?.ino);
  });

  it('is written by one process at a time, and never into the data folder', async () => {
    await expect(BackupFolder.open(target.path, dataDir)).rejects.toThrow('Another backup is being written to');
    for (const path of [dataDir, join(dataDir, 'backups')])
      await expect(BackupFolder.open(path, dataDir)).rejects.toThrow('lies in the data folder (DATA_DIR)');
    await writeFile(join(folder, 'file'), '');
    await expect(BackupFolder.open(join(folder, 'file'), dataDir)).rejects.toThrow('it is a file. Choose a folder');
  });
});
