import { realpath } from 'node:fs/promises';
import { LinkRefusedError } from './linked.errors.js';

/**
 * The path of a file, with no symbolic link in it. Nothing if the file has gone meanwhile: there is no such file then, as if it had gone before.
 *
 * @throws LinkRefusedError if it cannot be found out.
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
