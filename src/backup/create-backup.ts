import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Catalog } from '../catalog/catalog.js';
import { CATALOG_FILE } from '../catalog/data-folder.js';
import { migrations } from '../catalog/migrations/migrations.js';
import { copyCatalog } from '../catalog/sqlite/copy-catalog.js';
import { failpoint } from '../config/failpoint.js';
import { readVersion } from '../config/version.js';
import { syncToDisk } from '../storage/sync-to-disk.js';
import { CatalogChangedError, toFolderError } from './backup.errors.js';
import type { BackupFolder } from './backup-folder.js';
import { type BackupManifest, writeManifest } from './backup-manifest.js';
import { BlobCopies, openFormer } from './blob-copies.js';
import { type BlobStores, type CatalogBlob, listBlobs, listLinkedTables } from './catalog-blobs.js';
import { findNewestBackup } from './find-newest-backup.js';
import { sumOfFile } from './sum-of-file.js';
import type { WorkOptions } from './work-options.js';

/** What is backed up: a data folder, while a server may be at work in it. */
export interface BackupSource {
  readonly catalog: Catalog;
  readonly stores: BlobStores;
}

/** How a backup is made. */
export interface BackupOptions extends WorkOptions {
  /** Whether files are copied that an earlier backup has, too. */
  readonly isFull?: boolean;
}

/** A finished backup. */
export interface BackupReport {
  readonly path: string;
  readonly manifest: BackupManifest;
  /** Files that no earlier backup has. */
  readonly copiedFiles: number;
  readonly copiedBytes: number;
}

/** Times that the catalog is copied before the backup ends without success. */
const MAX_ROUNDS = 10;

/**
 * Makes a backup: a copy of the catalog as it is at one instant, and after it every blob that this
 * copy refers to. A blob that is deleted before it is copied has lost its row before: then the
 * catalog is copied again, and only blobs that came since have to follow. No reader or writer
 * waits.
 */
export async function createBackup(
  target: BackupFolder,
  source: BackupSource,
  options: BackupOptions,
): Promise<BackupReport> {
  const newest = options.isFull ? undefined : await findNewestBackup(target.path);
  const former = newest === undefined ? undefined : await openFormer(join(target.path, newest));
  const folder = await target.begin(new Date());
  try {
    const copies = new BlobCopies(source.stores, folder, former);
    const manifest = await copyAll(folder, source, copies, options);
    await writeManifest(folder, manifest);
    await failpoint('backup-manifest-written');
    const { copiedFiles, copiedBytes } = copies;
    return { path: await target.finish(folder), manifest, copiedFiles, copiedBytes };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw toFolderError(error, target.path);
  }
}

async function copyAll(
  folder: string,
  source: BackupSource,
  copies: BlobCopies,
  options: WorkOptions,
): Promise<BackupManifest> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const copy = await copyCatalogTo(join(folder, CATALOG_FILE), source.catalog);
    await failpoint('backup-catalog-copied');
    const missing = await copies.add(copy.blobs, options);
    if (await isAnyDeleted(missing, source.catalog)) continue;
    await copies.keepOnly(copy.blobs);
    await failpoint('backup-blobs-copied');
    const lost = missing.map((blob) => ({ path: copies.pathOf(blob), problem: 'is missing' }));
    return {
      format: 1,
      eider_version: readVersion(),
      catalog_version: copy.version,
      created_at: copy.createdAt.toISOString(),
      files: [await catalogFile(folder), ...copies.files.values()],
      linked_tables: copy.linkedTables,
      problems: [...copies.problems, ...lost],
    };
  }
  throw new CatalogChangedError();
}

async function copyCatalogTo(path: string, catalog: Catalog) {
  const createdAt = new Date();
  await rm(path, { force: true });
  await copyCatalog(catalog, path);
  await chmod(path, 0o600);
  await syncToDisk(path);
  const copy = Catalog.openToRead(path);
  try {
    const pending = new Set(await copy.pendingMigrations());
    const applied = Object.keys(migrations).filter((name) => !pending.has(name));
    return {
      createdAt,
      version: applied.toSorted().at(-1) ?? '',
      blobs: await listBlobs(copy),
      linkedTables: await listLinkedTables(copy),
    };
  } finally {
    await copy.destroy();
  }
}

/** Whether one of the blobs is gone because its row is; one whose row is still there is lost. */
async function isAnyDeleted(missing: readonly CatalogBlob[], catalog: Catalog): Promise<boolean> {
  for (const blob of missing) if (!(await blob.isIn(catalog))) return true;
  return false;
}

async function catalogFile(folder: string) {
  const { sizeBytes, sha256 } = await sumOfFile(join(folder, CATALOG_FILE));
  return { path: CATALOG_FILE, size_bytes: sizeBytes, sha256 };
}
