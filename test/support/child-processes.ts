import { readdirSync, readFileSync } from 'node:fs';

/** Ids of the child processes of this process that run a script, such as `read.child.js`. */
export function findChildren(script: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOwnChild(name, script))
    .map(Number);
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
