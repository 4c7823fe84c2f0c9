import { realpath } from 'node:fs/promises';
import { LinkRefusedError } from './linked.errors.js';

/**
 * The path of a file, without symbolic links. Nothing if the file is gone meanwhile.
 *
 * @throws LinkRefusedError if it cannot be resolved.
 */
export async function findRealPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new LinkRefusedError(`a file cannot be found (${code})`);
  }
}
