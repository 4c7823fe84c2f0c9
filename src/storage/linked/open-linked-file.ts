import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { getRoot, type LinkBounds } from './link-bounds.js';
import { LinkRefusedError } from './linked.errors.js';

/** No symbolic link is followed at the end of the path, and a named pipe keeps nobody waiting. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a file to be read. What counts is where it lies once it is open, not what its path said before: whoever can write there can put a
 * symbolic link in the place of a file or of a folder at any moment.
 *
 * @param path absolute, with no symbolic link in it.
 * @throws LinkRefusedError if what is there is no file within the bounds.
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

/** Linux tells where an open file lies. Elsewhere its path must lead to it once more, which leaves a gap (docs/security.md). */
async function findPath(file: FileHandle, path: string): Promise<string> {
  if (process.platform === 'linux') return await readlink(`/proc/self/fd/${file.fd}`);
  const real = await realpath(path);
  const [opened, found] = await Promise.all([file.stat({ bigint: true }), lstat(real, { bigint: true })]);
  if (opened.dev !== found.dev || opened.ino !== found.ino) throw new LinkRefusedError('a file was replaced meanwhile');
  return real;
}
