import { setTimeout } from 'node:timers/promises';

/** The processors are needed more elsewhere than for waiting. */
const MIN_INTERVAL_MS = 5;
const MAX_INTERVAL_MS = 50;
/** A wait becomes longer by at most a tenth or so. */
const GROWTH = 1.1;

/** Waits until something is so, where no event reports it. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let intervalMs = MIN_INTERVAL_MS; !(await isSo()); intervalMs *= GROWTH)
    await setTimeout(Math.min(intervalMs, MAX_INTERVAL_MS));
}
