import { createWriteStream } from 'node:fs';
import { type FileHandle, link, lstat, rm, stat, symlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/**
 * Links or copies an open file to `target`, even if another file stands at its path by now. A hard
 * link is best: it pins the file. It cannot cross file systems, and the system can refuse it for
 * files of other users.
 *
 * @returns whether the file must stay open for as long as the target is read.
 */
export async function linkOpenedFile(file: FileHandle, path: string, target: string): Promise<boolean> {
  if (await isMade(file, () => link(path, target), lstat, target)) return false;
  // This leads to the open file, not to a path. Only on Linux.
  const opened = `/proc/${process.pid}/fd/${file.fd}`;
  if (await isMade(file, () => symlink(opened, target), stat, target)) return true;
  await pipeline(file.createReadStream({ autoClose: false, start: 0 }), createWriteStream(target, { flags: 'wx' }));
  return false;
}

/** Whether the target leads to the file. If not, it is removed. */
async function isMade(
  file: FileHandle,
  make: () => Promise<void>,
  getStats: typeof lstat | typeof stat,
  target: string,
): Promise<boolean> {
  try {
    await make();
    const [wanted, found] = await Promise.all([file.stat({ bigint: true }), getStats(target, { bigint: true })]);
    if (found.isFile() && found.dev === wanted.dev && found.ino === wanted.ino) return true;
  } catch {
    // The next way is tried.
  }
  await rm(target, { force: true });
  return false;
}
