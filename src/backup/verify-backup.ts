import { join } from 'node:path';
import { Catalog } from '../catalog/catalog.js';
import { CATALOG_FILE } from '../catalog/data-folder.js';
import { findDamage } from '../catalog/sqlite/find-damage.js';
import { forEachAtOnce } from './at-once.js';
import { type BackupFile, type BackupManifest, type FileProblem, readManifest } from './backup-manifest.js';
import { listBlobs, openStores } from './catalog-blobs.js';
import { type FileSum, sumOfFile } from './sum-of-file.js';
import { Progress, type WorkOptions } from './work-options.js';

/** What is in a backup, and what is wrong with it. */
export interface VerifiedBackup {
  readonly manifest: BackupManifest;
  readonly problems: readonly FileProblem[];
}

/**
 * Reads every file of a backup, and compares it with the manifest; the catalog in it must be sound,
 * and refer to no other files.
 */
export async function verifyBackup(folder: string, options: WorkOptions): Promise<VerifiedBackup> {
  const manifest = await readManifest(folder);
  const problems: FileProblem[] = [];
  const progress = new Progress(
    manifest.files.map(({ size_bytes }) => size_bytes),
    options,
  );
  await forEachAtOnce(manifest.files, async (file) => {
    const problem = findSumProblem(file, await findSum(join(folder, file.path)));
    if (problem !== undefined) problems.push({ path: file.path, problem });
    progress.add(file.size_bytes);
  });
  if (!problems.some(({ path }) => path === CATALOG_FILE)) problems.push(...(await checkCatalog(folder, manifest)));
  return { manifest, problems: problems.toSorted((a, b) => a.path.localeCompare(b.path)) };
}

/** How a file differs from the manifest, as the end of a sentence. */
export function findSumProblem({ size_bytes, sha256 }: BackupFile, found: FileSum | undefined): string | undefined {
  if (!found) return 'is missing';
  if (found.sizeBytes !== size_bytes) return `has ${found.sizeBytes} bytes instead of ${size_bytes}`;
  return found.sha256 === sha256 ? undefined : 'has changed';
}

async function findSum(path: string): Promise<FileSum | undefined> {
  return await sumOfFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

async function checkCatalog(folder: string, { files, problems }: BackupManifest): Promise<FileProblem[]> {
  const known = new Set([...files, ...problems].map(({ path }) => path));
  const stores = openStores(folder);
  const catalog = Catalog.openToRead(join(folder, CATALOG_FILE));
  try {
    const found = (await findDamage(catalog)).map((damage) => ({
      path: CATALOG_FILE,
      problem: `is damaged: ${damage}`,
    }));
    for (const { store, name } of await listBlobs(catalog)) {
      const path = stores[store].pathOf(name).slice(folder.length + 1);
      if (!known.has(path)) found.push({ path, problem: 'is not in the manifest' });
    }
    return found;
  } finally {
    await catalog.destroy();
  }
}
