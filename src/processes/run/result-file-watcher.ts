import { stat } from 'node:fs/promises';
import { syncToDisk } from '../../storage/sync-to-disk.js';

const INTERVAL_MS = 100;

/** So many new bytes are written to the disk at once, so that few are left at the end. */
const SYNC_BYTES = 64 * 2 ** 20;

/**
 * Watches a growing result file: writes it to the disk, and calls `onExceeded`, once, when it
 * exceeds `maxBytes`. The returned function ends the watch.
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
