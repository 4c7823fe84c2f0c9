import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrations } from '../catalog/migrations/migrations.js';
import { failpoint } from '../config/failpoint.js';
import { syncToDisk } from '../storage/sync-to-disk.js';
import { ManifestError, NoBackupError } from './backup.errors.js';
import { findNewestBackup, MANIFEST_FILE } from './find-newest-backup.js';

/** A file of a backup. */
export interface BackupFile {
  /** In the backup: `catalog.db`, or the store, a folder and the name of a blob. */
  readonly path: string;
  readonly size_bytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** What a backup holds. */
export interface BackupManifest {
  readonly format: 1;
  /** The version of the program that wrote it. */
  readonly eider_version: string;
  /** The last migration of its catalog. */
  readonly catalog_version: string;
  /** The instant as of which the catalog was copied, ISO 8601. */
  readonly created_at: string;
  readonly files: readonly BackupFile[];
  /** Tables whose files are outside the data folder, and not in the backup. */
  readonly linked_tables: readonly LinkedTableNote[];
  /** Files that were missing or damaged in the data folder already. */
  readonly problems: readonly FileProblem[];
}

/** A linked table and where its files are. */
export interface LinkedTableNote {
  readonly table: string;
  readonly pattern: string;
}

/** What is wrong with a file. */
export interface FileProblem {
  readonly path: string;
  /** The end of a sentence about the file: `is missing`. */
  readonly problem: string;
}

/** Writes the manifest as the last file of a backup: whole and on the disk, or not at all. */
export async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  const unfinished = join(folder, `${MANIFEST_FILE}.unfinished`);
  const text = `${JSON.stringify(manifest, undefined, 1)}\n`;
  await failpoint('backup-manifest-write', { path: unfinished, bytes: () => Buffer.from(text) });
  await writeFile(unfinished, text, { mode: 0o600 });
  await syncToDisk(unfinished);
  await rename(unfinished, join(folder, MANIFEST_FILE));
  await syncToDisk(folder);
}

/**
 * Reads the manifest of a backup.
 *
 * @throws {NoBackupError}
 * @throws {ManifestError} if it is damaged, or of a newer version.
 */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    throw new NoBackupError(folder, await findNewestBackup(folder));
  });
  const manifest = parse(text);
  if (!manifest) throw new ManifestError(folder, 'is damaged: restore another backup');
  if (manifest.format !== 1 || !(manifest.catalog_version in migrations))
    throw new ManifestError(folder, 'was written by a newer version of Eider: use that version');
  if (!manifest.files.every(isBackupFile)) throw new ManifestError(folder, 'is damaged: restore another backup');
  return manifest;
}

function parse(text: string): BackupManifest | undefined {
  try {
    const found = JSON.parse(text) as Partial<BackupManifest> | null;
    const lists = [found?.files, found?.linked_tables, found?.problems];
    return lists.every((list) => Array.isArray(list)) ? (found as BackupManifest) : undefined;
  } catch {
    return undefined;
  }
}

/** A path that leads out of the folder is that of no file of ours. */
function isBackupFile({ path, size_bytes, sha256 }: BackupFile): boolean {
  const isOurs = /^(catalog\.db|(results|tables)\/[^/.][^/]*\/[^/.][^/]*)$/.test(path);
  return isOurs && Number.isSafeInteger(size_bytes) && /^[0-9a-f]{64}$/.test(sha256);
}

/** Number and size of the files of a backup. */
export function sizeOf({ files }: BackupManifest): { files: number; size_bytes: number } {
  return { files: files.length, size_bytes: files.reduce((sum, { size_bytes }) => sum + size_bytes, 0) };
}
