import { createWriteStream } from 'node:fs';
import { type FileHandle, link, lstat, rm, stat, symlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/**
 * Puts an open file at `target`, and never another one that has come to stand at its path meanwhile. A hard link is best: it holds the file
 * whatever becomes of its path. It cannot cross file systems, and the system can refuse it for the files of others.
 *
 * @returns whether the file must stay open for as long as the target is read.
 */
export async function linkOpenedFile(file: FileHandle, path: string, target: string): Promise<boolean> {
  if (await isMade(file, () => link(path, target), lstat, target)) return false;
  // Whoever follows this opens the very file, not a path. Only on Linux.
  const opened = `/proc/${process.pid}/fd/${file.fd}`;
  if (await isMade(file, () => symlink(opened, target), stat, target)) return true;
  await pipeline(file.createReadStream({ autoClose: false, start: 0 }), createWriteStream(target, { flags: 'wx' }));
  return false;
}

/** Whether a way to make the target has led to the file; if not, there is no target. */
async function isMade(
  file: FileHandle,
  make: () => Promise<void>,
  look: typeof lstat | typeof stat,
  target: string,
): Promise<boolean> {
  try {
    await make();
    const [wanted, found] = await Promise.all([file.stat({ bigint: true }), look(target, { bigint: true })]);
    if (found.isFile() && found.dev === wanted.dev && found.ino === wanted.ino) return true;
  } catch {
    // Another way is tried.
  }
  await rm(target, { force: true });
  return false;
}
