/** Bytes of a body after which its chunks are collected: with 32 MB V8 would mark all objects. */
const INTERVAL_BYTES = 16 * 2 ** 20;

/**
 * Releases the memory of chunks that have no reference any more. A chunk is some words in V8's heap
 * and 64 kB outside of it. V8 counts those, but instead of collecting the young objects it marks
 * all that there are, forty times in a body of 1 GB, which takes more processor time than to
 * receive it (`docs/performance.md`). Needs `--expose-gc` (`scripts/v8-flags.mjs`); without it
 * nothing is done.
 */
export class ChunkCollector {
  #bytes = 0;

  /** Counts a chunk that arrived. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < INTERVAL_BYTES) return;
    this.#bytes = 0;
    globalThis.gc?.({ type: 'minor' });
  }
}
