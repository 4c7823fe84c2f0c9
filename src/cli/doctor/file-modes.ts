import { constants } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** A file or folder that other users of the machine may read, write or enter. */
export interface OpenEntry {
  /** From the data folder on; the data folder itself is `.`. */
  readonly name: string;
  readonly path: string;
  readonly mode: number;
}

/** Permissions of everyone but the owner. */
const OTHERS = 0o077;

/**
 * Folders of the service, each of which the operator can put on another disk by a symbolic link.
 */
const MOVABLE_FOLDERS = new Set(['tables', 'results', 'runs', 'readers', 'staging']);

/**
 * What a run reads: links to parts, which are found in `tables/`, and to linked files, whose modes
 * are the operator's own affair.
 */
const RUN_INPUTS = /^runs\/[^/]+\/in\//;

/**
 * Finds what is open to other users in a data folder. Symbolic links are not followed, except where
 * the data folder itself or one of the service's own folders in it is one.
 */
export async function* findOpenEntries(dataDir: string): AsyncGenerator<OpenEntry> {
  yield* findOpenIn({ name: '.', path: await realpath(dataDir) });
}

/**
 * Takes the permissions of other users away. @returns whether it could; what has gone meanwhile
 * counts as closed.
 */
export async function closeEntry({ path }: OpenEntry): Promise<boolean> {
  try {
    // The open file is changed, not its path: it can be replaced by a symbolic link at any moment.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      await file.chmod((await file.stat()).mode & 0o7777 & ~OTHERS);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    return isGone(error);
  }
}

async function* findOpenIn(entry: { name: string; path: string }): AsyncGenerator<OpenEntry> {
  const { name, path } = entry;
  const found = await lstat(path).catch(undefinedIfGone);
  if (!found) return;
  if (found.isSymbolicLink()) {
    if (MOVABLE_FOLDERS.has(name)) yield* findOpenIn({ name, path: await realpath(path) });
    return;
  }
  if (!found.isDirectory() && RUN_INPUTS.test(name)) return;
  if (found.mode & OTHERS) yield { name, path, mode: found.mode & 0o7777 };
  if (!found.isDirectory()) return;
  for (const child of (await readdir(path).catch(undefinedIfGone)) ?? [])
    yield* findOpenIn({ name: name === '.' ? child : `${name}/${child}`, path: join(path, child) });
}

function undefinedIfGone(error: unknown): undefined {
  if (!isGone(error)) throw error;
}

function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
