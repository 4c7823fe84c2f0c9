import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '../config/operator-error.js';
import { isNoexec } from './is-noexec.js';
import type { PackedFiles } from './packed-files.js';

/** Prefix of a folder that is being filled. */
const UNFINISHED = '.unpack-';
/** An unfinished folder of this age was left by a process that was killed. */
const ABANDONED_MS = 3_600_000;

/**
 * Returns the folder that contains all packed files, in the first of the roots that allows it,
 * and unpacks them there if it is the first start. Its name is the id of the files, so that
 * versions do not mix; processes that start at the same time unpack apart, and the first one to
 * finish gives the folder its name.
 *
 * @throws OperatorError if no root is usable, with the reason for each.
 */
export function openRuntimeFolder(packed: PackedFiles, roots: readonly string[], userId = process.getuid?.()): string {
  const reasons: string[] = [];
  for (const root of roots) {
    try {
      makeFolders(root);
      const reason = findObjection(root, userId);
      if (reason === undefined) return unpackInto(root, packed);
      reasons.push(`${root}: ${reason}`);
    } catch (error) {
      reasons.push(`${root}: ${(error as NodeJS.ErrnoException).code ?? error}`);
    }
  }
  throw new OperatorError(
    `Eider cannot unpack its engine into any folder:\n${reasons.map((reason) => `- ${reason}\n`).join('')}` +
      'It requires a folder of its own user that allows execution and has 120 MB of free space.\n' +
      'Set EIDER_RUNTIME_DIR to such a folder.',
  );
}

/** One level after the other: Node's own recursion does not end below `/proc`. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was quicker.
    if (!existsSync(folder)) throw error;
  }
}

/** Why code must not be loaded from below a folder. */
function findObjection(root: string, userId: number | undefined): string | undefined {
  const trusted = [0, userId];
  // A link of another user can be turned to another folder.
  if (![lstatSync(root), statSync(root)].every(({ uid }) => trusted.includes(uid))) return 'another user owns it';
  if ((statSync(root).mode & 0o022) !== 0) return 'other users can write to it';
  const mounts = existsSync('/proc/self/mounts') ? readFileSync('/proc/self/mounts', 'utf8') : '';
  return isNoexec(realpathSync(root), mounts) ? 'it is mounted noexec' : undefined;
}

function unpackInto(root: string, packed: PackedFiles): string {
  const folder = join(root, packed.id);
  if (isComplete(folder, packed)) return folder;
  removeAbandoned(root);
  const unfinished = join(root, `${UNFINISHED}${randomUUID()}`);
  try {
    for (const { path } of packed.files) writeFile(join(unfinished, path), packed.read(path));
    commit(unfinished, folder, packed);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

function isComplete(folder: string, { files }: PackedFiles): boolean {
  return files.every(
    ({ path, sizeBytes }) => statSync(join(folder, path), { throwIfNoEntry: false })?.size === sizeBytes,
  );
}

function writeFile(path: string, content: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  writeFileSync(path, content, { flag: 'wx', mode: 0o555, flush: true });
}

/** A folder with this name that is not complete was damaged, and is replaced. */
function commit(unfinished: string, folder: string, packed: PackedFiles): void {
  try {
    renameSync(unfinished, folder);
  } catch {
    if (isComplete(folder, packed)) return;
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  }
}

function removeAbandoned(root: string): void {
  for (const name of readdirSync(root).filter((it) => it.startsWith(UNFINISHED))) {
    const { mtimeMs } = statSync(join(root, name), { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > ABANDONED_MS) rmSync(join(root, name), { recursive: true, force: true });
  }
}
