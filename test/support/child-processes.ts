import { readFileSync } from 'node:fs';
import { until } from './until.js';

/** Ids of the child processes of this process that run a script, such as `read.child.cjs`. */
export function findChildren(script: string): number[] {
  // Of the main thread, which starts all of them.
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8');
  return children
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((pid) => runs(pid, script));
}

/**
 * Waits for a child process of this process that runs a script, and gives its id: a new one is
 * started when one dies.
 */
export async function untilChild(script: string): Promise<number> {
  let pids: number[] = [];
  await until(() => {
    pids = findChildren(script);
    return pids.length > 0;
  });
  return pids[0] as number;
}

function runs(pid: number, script: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(script);
  } catch {
    // It has ended meanwhile.
    return false;
  }
}
