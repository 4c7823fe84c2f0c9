import { open } from 'node:fs/promises';
import { failpoint } from '../config/failpoint.js';

/** Waits until the content of a file, or the names in a folder, are on the disk. */
export async function syncToDisk(path: string): Promise<void> {
  await failpoint('disk-sync');
  await using handle = await open(path, 'r');
  await handle.sync();
}
