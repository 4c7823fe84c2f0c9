import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Name of the file that makes a folder a backup. It is written last. */
export const MANIFEST_FILE = 'manifest.json';

/** Name of a backup: the time at which it began, in UTC, without colons. */
export const BACKUP_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;

/** What follows the name until the backup is complete. */
export const UNFINISHED = '.unfinished';

/** The newest complete backup in a folder of backups: its name. */
export async function findNewestBackup(folder: string): Promise<string | undefined> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => BACKUP_NAME.test(name));
  for (const name of names.toSorted().toReversed())
    if (await stat(join(folder, name, MANIFEST_FILE)).catch(() => undefined)) return name;
  return undefined;
}
