import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { failpoint } from '../config/failpoint.js';
import { syncToDisk } from '../storage/sync-to-disk.js';

/** Name of the file in the data folder that has the key of a first start without a terminal. */
export const FIRST_KEY_FILE = 'first-key';

/** Writes the first key into its file, for the owner only; it is on the disk afterwards. */
export async function writeFirstKey(dataDir: string, key: string): Promise<void> {
  const path = join(dataDir, FIRST_KEY_FILE);
  const file = await open(path, 'w', 0o600);
  try {
    // The file can be there already, from a first start that was cut off.
    await file.chmod(0o600);
    await failpoint('first-key-write', { path, bytes: () => Buffer.from(key) });
    await file.writeFile(`${key}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncToDisk(dataDir);
}
