import { existsSync } from 'node:fs';
import { chmod, copyFile, readFile, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { DataFolderNotEmptyError } from '../catalog/catalog.errors.js';
import { Catalog } from '../catalog/catalog.js';
import { CATALOG_FILE, hasCatalog } from '../catalog/data-folder.js';
import { DataFolderLock } from '../catalog/data-folder-lock.js';
import { failpoint } from '../config/failpoint.js';
import { ExecutionsRepository } from '../executions/executions.repository.js';
import { syncToDisk } from '../storage/sync-to-disk.js';
import { forEachAtOnce } from './at-once.js';
import { DamagedBackupError, RestoreTargetError, toFolderError } from './backup.errors.js';
import { type BackupFile, type BackupManifest, readManifest } from './backup-manifest.js';
import { openStores } from './catalog-blobs.js';
import { sumOfFile } from './sum-of-file.js';
import { findSumProblem } from './verify-backup.js';
import { Progress, type WorkOptions } from './work-options.js';

/** What was restored. */
export interface RestoreReport {
  readonly manifest: BackupManifest;
  /** Executions that ran during the backup; they wait for the start of the service. */
  readonly requeued: number;
}

/**
 * Copies a backup into a data folder that is absent or empty, and compares each copy with the
 * manifest. The catalog comes last: without it, no command takes the folder for a data folder. An
 * error removes what was copied.
 *
 * @throws {RestoreTargetError}
 * @throws {DamagedBackupError}
 */
export async function restoreBackup(folder: string, dataDir: string, options: WorkOptions): Promise<RestoreReport> {
  const manifest = await readManifest(folder);
  const lock = lockEmpty(dataDir);
  try {
    await copyBlobs(folder, dataDir, manifest, options);
    await failpoint('restore-blobs-copied');
    await copyCatalogFile(folder, dataDir, manifest);
    await failpoint('restore-catalog-copied');
    return { manifest, requeued: await requeue(dataDir) };
  } catch (error) {
    for (const name of ['results', 'tables', CATALOG_FILE, restoredName()])
      await rm(join(dataDir, name), { recursive: true, force: true });
    throw toFolderError(error, resolve(dataDir));
  } finally {
    lock.release();
  }
}

/** Keeps servers out until all is restored. */
function lockEmpty(dataDir: string): DataFolderLock {
  try {
    if (existsSync(dataDir) && hasCatalog(dataDir)) throw new RestoreTargetError(dataDir);
    return DataFolderLock.take(dataDir);
  } catch (error) {
    throw error instanceof DataFolderNotEmptyError ? new RestoreTargetError(dataDir) : error;
  }
}

async function copyBlobs(
  folder: string,
  dataDir: string,
  { files }: BackupManifest,
  options: WorkOptions,
): Promise<void> {
  const stores = openStores(dataDir);
  const progress = new Progress(
    files.map(({ size_bytes }) => size_bytes),
    options,
  );
  await forEachAtOnce(files, async (file) => {
    if (file.path !== CATALOG_FILE) {
      const store = stores[file.path.startsWith('results/') ? 'results' : 'tables'];
      const name = basename(file.path);
      await store.adoptCopy(join(folder, file.path), name).catch(missingIn(folder, file));
      await requireSame(folder, file, store.pathOf(name));
    }
    progress.add(file.size_bytes);
  });
}

async function copyCatalogFile(folder: string, dataDir: string, { files }: BackupManifest): Promise<void> {
  const file = files.find(({ path }) => path === CATALOG_FILE);
  if (!file) throw new DamagedBackupError(folder, [`${CATALOG_FILE} is missing`]);
  const copy = join(dataDir, restoredName());
  await failpoint('restore-catalog-copy', { path: copy, bytes: () => readFile(join(folder, CATALOG_FILE)) });
  await copyFile(join(folder, CATALOG_FILE), copy).catch(missingIn(folder, file));
  await chmod(copy, 0o600);
  await requireSame(folder, file, copy);
  await syncToDisk(copy);
  await rename(copy, join(dataDir, CATALOG_FILE));
  await syncToDisk(dataDir);
}

/** Name of the catalog until it is whole. */
function restoredName(): string {
  return `${CATALOG_FILE}.restored`;
}

async function requireSame(folder: string, file: BackupFile, copy: string): Promise<void> {
  const problem = findSumProblem(file, await sumOfFile(copy));
  if (problem !== undefined) throw new DamagedBackupError(folder, [`${file.path} ${problem}`]);
}

function missingIn(folder: string, { path }: BackupFile) {
  return (error: NodeJS.ErrnoException): never => {
    throw error.code === 'ENOENT' ? new DamagedBackupError(folder, [`${path} is missing`]) : error;
  };
}

/** What ran then runs no more. */
async function requeue(dataDir: string): Promise<number> {
  const catalog = await Catalog.openOlder(dataDir);
  try {
    return await new ExecutionsRepository(catalog).requeueAll();
  } finally {
    await catalog.destroy();
  }
}
