import { InterruptedError } from './backup.errors.js';

/** How the work on a backup is watched and ended. */
export interface WorkOptions {
  readonly signal?: AbortSignal;
  /** Called after each file. */
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void;
}

/** Counts what is done of a work, and ends it on demand. */
export class Progress {
  private doneBytes = 0;
  private readonly totalBytes: number;

  constructor(
    sizes: readonly number[],
    private readonly options: WorkOptions,
  ) {
    this.totalBytes = sizes.reduce((sum, size) => sum + size, 0);
    this.add(0);
  }

  /** @throws {InterruptedError} */
  add(bytes: number): void {
    this.doneBytes += bytes;
    this.options.onProgress?.(this.doneBytes, this.totalBytes);
    if (this.options.signal?.aborted) throw new InterruptedError();
  }
}
