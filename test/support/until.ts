import { setTimeout } from 'node:timers/promises';

/** Whoever is waited for needs the processors more than the waiting does. */
const INTERVAL_MS = 5;

/** Waits until something is so, where no event tells. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(INTERVAL_MS);
}
