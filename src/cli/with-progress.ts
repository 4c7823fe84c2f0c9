import { clearProgress, drawProgress } from './progress-bar.js';

/** What a long work is given: a signal that ends it, and what to call as it goes on. */
interface Watch {
  readonly signal: AbortSignal;
  readonly onProgress: typeof drawProgress;
}

/**
 * Runs long work with a progress bar. A first SIGINT or SIGTERM ends it in order, a second at once.
 */
export async function withProgress<T>(work: (watch: Watch) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  try {
    return await work({ signal: interrupt.signal, onProgress: drawProgress });
  } finally {
    clearProgress();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  }
}
