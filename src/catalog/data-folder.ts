import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolderNotEmptyError } from './catalog.errors.js';

/** Name of the catalog's file in the data folder. */
export const CATALOG_FILE = 'catalog.db';

/** Committed rows that are not in the catalog's file yet. */
const WAL_FILE = `${CATALOG_FILE}-wal`;

/**
 * Names that are no data, which a folder without a catalog may hold. `README.md` and `sample` come
 * with the program: the default DATA_DIR of a checkout holds them.
 */
const HARMLESS = new Set([
  'lost+found',
  'README.md',
  'sample',
  'serving.lock',
  'serving.lock-journal',
  CATALOG_FILE,
  `${CATALOG_FILE}-shm`,
  `${CATALOG_FILE}-journal`,
]);

/** Permissions of everyone but the owner. */
const OTHERS = 0o077;

/**
 * Makes the folder of a catalog, open to its owner only, if there is no catalog in it yet.
 *
 * @throws {DataFolderNotEmptyError} as {@link hasCatalog} does.
 */
export function prepareDataFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!hasCatalog(dataDir)) closeToOthers(dataDir);
}

/**
 * Whether a folder has a catalog.
 *
 * @throws {DataFolderNotEmptyError} if a catalog would be new among files that are there already:
 * it would know none of them, and sweeps would delete them. Hidden files and `lost+found` do not
 * count.
 */
export function hasCatalog(dataDir: string): boolean {
  // In this order: a process that creates the catalog meanwhile adds other files after it.
  const found = readdirSync(dataDir).filter((name) => isData(dataDir, name));
  if (sizeOf(join(dataDir, CATALOG_FILE)) > 0) return true;
  if (found.length > 0) throw new DataFolderNotEmptyError(found.toSorted());
  return false;
}

/** Whether other users of the machine can enter or list the folder. */
export function isOpenToOthers(dataDir: string): boolean {
  return (statSync(dataDir).mode & OTHERS) !== 0;
}

/** A catalog of 0 bytes is none; one with rows in its log alone was lost. */
function isData(dataDir: string, name: string): boolean {
  if (name.startsWith('.') || HARMLESS.has(name)) return false;
  return name !== WAL_FILE || sizeOf(join(dataDir, name)) > 0;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Leaves the folder of another user, such as the root of a mounted disk: `doctor` warns of it. */
function closeToOthers(dataDir: string): void {
  const { mode } = statSync(dataDir);
  if ((mode & OTHERS) === 0) return;
  try {
    chmodSync(dataDir, mode & 0o7777 & ~OTHERS);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}
