import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { getRoot, type LinkBounds } from './link-bounds.js';
import { LinkRefusedError } from './linked.errors.js';

/** A symbolic link at the end of the path is not followed, and a named pipe does not block. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a file to be read. Its path is checked once it is open, because a symbolic link can replace
 * a file or a folder at any moment.
 *
 * @param path absolute, without symbolic links.
 * @throws LinkRefusedError if it is no file within the bounds.
 */
export async function openLinkedFile(path: string, bounds: LinkBounds): Promise<FileHandle> {
  const file = await open(path, FLAGS).catch((error: NodeJS.ErrnoException) => {
    throw new LinkRefusedError(`a file cannot be opened (${error.code})`);
  });
  try {
    if (!(await file.stat()).isFile()) throw new LinkRefusedError('what should be a file is none');
    getRoot(await findPath(file, path), bounds);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Linux reports the path of an open file. Elsewhere a race remains (docs/security.md). */
async function findPath(file: FileHandle, path: string): Promise<string> {
  if (process.platform === 'linux') return await readlink(`/proc/self/fd/${file.fd}`);
  const real = await realpath(path);
  const [opened, found] = await Promise.all([file.stat({ bigint: true }), lstat(real, { bigint: true })]);
  if (opened.dev !== found.dev || opened.ino !== found.ino) throw new LinkRefusedError('a file was replaced meanwhile');
  return real;
}
