import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { hasCatalog } from '../../catalog/data-folder.js';
import type { Config } from '../../config/config.js';
import type { Check, DoctorOptions, Warning } from './check.js';
import { closeEntry, findOpenEntries, type OpenEntry } from './file-modes.js';

/** The data folder and who can read it. */
export const FOLDER_CHECKS: readonly Check[] = [
  { name: 'data folder', run: checkFolder },
  { name: 'file modes', run: checkModes },
];

/** Whether the folder is there: `serve` creates it. */
export async function hasDataFolder({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): Promise<boolean> {
  const found = await stat(DATA_DIR).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  return found !== undefined;
}

async function checkFolder(config: Config): Promise<string> {
  if (!(await hasDataFolder(config))) {
    await access(await nearestFolder(resolve(config.DATA_DIR)), constants.R_OK | constants.W_OK);
    return 'does not exist yet, serve creates it';
  }
  await access(config.DATA_DIR, constants.R_OK | constants.W_OK);
  hasCatalog(config.DATA_DIR);
  return 'can be written';
}

async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found ? path : nearestFolder(dirname(path));
}

async function checkModes(config: Config, { repair }: DoctorOptions): Promise<string | Warning> {
  if (!(await hasDataFolder(config))) return 'none yet';
  const open: OpenEntry[] = [];
  for await (const entry of findOpenEntries(config.DATA_DIR)) open.push(entry);
  if (open.length === 0) return 'other users can read nothing';
  if (!repair) return { warning: `${describeOpen(open)}: eider doctor --repair closes them` };
  // Folders come before what is in them, so that nothing of a closed one is reached by others
  // meanwhile.
  const left: OpenEntry[] = [];
  for (const entry of open) if (!(await closeEntry(entry))) left.push(entry);
  if (left.length > 0) throw new Error(`${describeOpen(left)}, and could not be closed: run this as their owner`);
  return `closed ${countOf(open)} to other users`;
}

function describeOpen(open: readonly OpenEntry[]): string {
  const [first] = open;
  const verb = open.length === 1 ? 'is' : 'are';
  return `${countOf(open)} ${verb} open to other users, first ${first?.name} (${first?.mode.toString(8).padStart(4, '0')})`;
}

function countOf({ length }: readonly OpenEntry[]): string {
  return length === 1 ? '1 file or folder' : `${length} files and folders`;
}
