import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';

/** What this process may use of the machine. */
export interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
}

const CGROUP_FILES = ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes'];

/** Reads the machine's cores and memory; a cgroup's memory limit counts where it is lower. */
export function readMachine(): Machine {
  return { cores: availableParallelism(), memoryBytes: Math.min(totalmem(), ...CGROUP_FILES.map(readLimit)) };
}

function readLimit(path: string): number {
  try {
    const limit = Number(readFileSync(path, 'utf8'));
    return limit > 0 ? limit : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
