import { setTimeout } from 'node:timers/promises';
import { isUnavailable } from '../catalog/sqlite/sqlite-file.js';
import { backoffMs } from '../processes/pool/backoff.js';

/**
 * Repeats writes while the catalog cannot be written (a full disk, a lock of another process), with
 * longer and longer pauses, until they succeed or the service stops.
 */
export class CatalogWrites {
  private readonly stopping = new AbortController();
  private failures = 0;

  /** @param onError called with each error, and the pause after it. */
  constructor(private readonly onError: (error: unknown, pauseMs: number) => void) {}

  /**
   * Runs a write until it succeeds.
   *
   * @throws the error of the write if it is wrong itself, or the service stops.
   */
  async write<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const written = await write();
        this.failures = 0;
        return written;
      } catch (error) {
        if (!isUnavailable(error) || this.stopping.signal.aborted) throw error;
        await this.pauseAfter(error);
      }
    }
  }

  /** Waits after an error, but not once the service stops. */
  async pauseAfter(error: unknown): Promise<void> {
    this.failures += 1;
    const pauseMs = backoffMs(this.failures);
    this.onError(error, pauseMs);
    await setTimeout(pauseMs, undefined, this.stopping).catch(() => {});
  }

  /** Ends every pause, and all repeats. */
  stop(): void {
    this.stopping.abort();
  }
}
