import { setTimeout } from 'node:timers/promises';

/** The processors are needed more elsewhere than for waiting. */
const INTERVAL_MS = 5;

/** Waits until something is so, where no event reports it. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(INTERVAL_MS);
}
