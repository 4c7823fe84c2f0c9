import { FAILPOINTS, type FailpointName } from '../../../src/config/failpoints.js';

/** How often each failpoint was reached. */
export type Trace = ReadonlyMap<FailpointName, number>;

/** Arms every failpoint such that it is counted, and never fires. */
export const COUNT_ALL = Object.keys(FAILPOINTS)
  .map((name) => `${name}=slow@999999999`)
  .join(',');

/** Reads how often each armed failpoint was reached, of what the program has written. */
export function readTrace(output: string): Trace {
  const counts = new Map<FailpointName, number>();
  for (const [, name, count] of output.matchAll(/^failpoint ([a-z-]+)@(\d+)/gm))
    counts.set(name as FailpointName, Number(count));
  return counts;
}
