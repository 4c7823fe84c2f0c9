import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** What decides where the single executable unpacks its files. */
export interface RuntimeRootVariables {
  readonly EIDER_RUNTIME_DIR?: string;
  readonly XDG_CACHE_HOME?: string;
  readonly HOME?: string;
  readonly DATA_DIR?: string;
}

/**
 * The folders below which the single executable may unpack its files, best first:
 * `EIDER_RUNTIME_DIR` alone if it is set, otherwise the user's cache, the data folder if it
 * exists, temporary files, and memory.
 */
export function runtimeRoots(
  { EIDER_RUNTIME_DIR, XDG_CACHE_HOME, HOME, DATA_DIR }: RuntimeRootVariables = process.env,
  userId = process.getuid?.(),
): string[] {
  if (EIDER_RUNTIME_DIR) return [resolve(EIDER_RUNTIME_DIR)];
  const own = `eider-${userId}`;
  const roots = [
    XDG_CACHE_HOME?.startsWith('/') && join(XDG_CACHE_HOME, 'eider'),
    HOME?.startsWith('/') && HOME !== '/' && join(HOME, '.cache/eider'),
    DATA_DIR && existsSync(DATA_DIR) && join(resolve(DATA_DIR), '.runtime'),
    join(tmpdir(), own),
    join('/var/tmp', own),
    join('/dev/shm', own),
  ];
  return [...new Set(roots.filter((root) => typeof root === 'string'))];
}
