import { readdirSync, readFileSync } from 'node:fs';
import { until } from './until.js';

/** Ids of the child processes of this process that run a script, such as `read.child.cjs`. */
export function findChildren(script: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOwnChild(name, script))
    .map(Number);
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

function isOwnChild(pid: string, script: string): boolean {
  try {
    const parent = /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(script);
  } catch {
    // It has ended meanwhile.
    return false;
  }
}
