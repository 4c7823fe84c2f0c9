import { setTimeout } from 'node:timers/promises';
import { isUnavailable } from '../catalog/sqlite/sqlite-file.js';
import { backoffMs } from '../processes/pool/backoff.js';

/**
 * Writes to the catalog that must not be given up because it cannot be written for a while (a full disk, another process that holds
 * its lock): they are tried again, with longer and longer pauses, until they succeed or the service stops.
 */
export class CatalogWrites {
  private readonly stopping = new AbortController();
  private failures = 0;

  /** @param onFailure told of each failure, and of the pause after it. */
  constructor(private readonly onFailure: (error: unknown, pauseMs: number) => void) {}

  /**
   * Runs a write until it succeeds.
   *
   * @throws the write's error if another attempt is useless: the write itself is wrong, or the service stops.
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

  /** Waits as long as seems right after a failure; not at all once the service stops. */
  async pauseAfter(error: unknown): Promise<void> {
    this.failures += 1;
    const pauseMs = backoffMs(this.failures);
    this.onFailure(error, pauseMs);
    await setTimeout(pauseMs, undefined, this.stopping).catch(() => {});
  }

  /** Ends every pause; what fails from now on is not tried again. */
  stop(): void {
    this.stopping.abort();
  }
}
