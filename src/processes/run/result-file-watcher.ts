import { stat } from 'node:fs/promises';
import { syncToDisk } from '../../storage/sync-to-disk.js';

const INTERVAL_MS = 100;

/** What has been written so far goes to the disk in pieces of this size, so that little is left to wait for at the end. */
const SYNC_BYTES = 64 * 2 ** 20;

/**
 * Watches a result file grow: brings it to the disk as it does, and calls `onExceeded`, once, when it is larger than
 * `maxBytes`. The returned function ends the watch.
 */
export function watchResultFile(path: string, maxBytes: number, onExceeded: () => void): () => void {
  let syncedBytes = 0;
  let isBusy = false;
  const timer = setInterval(async () => {
    if (isBusy) return;
    isBusy = true;
    const size = await stat(path).then(
      (file) => file.size,
      () => 0,
    );
    if (size > maxBytes) {
      clearInterval(timer);
      onExceeded();
    } else if (size - syncedBytes >= SYNC_BYTES) {
      await syncToDisk(path).catch(() => {});
      syncedBytes = size;
    }
    isBusy = false;
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}
