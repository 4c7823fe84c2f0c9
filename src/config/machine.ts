import { availableParallelism, totalmem } from 'node:os';
import { readCgroupLimits } from './cgroup.js';

/** What this process may use of the machine. */
export interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
}

/** Reads the machine's cores and memory; the limits of cgroups count where they are lower. */
export function readMachine(limits = readCgroupLimits()): Machine {
  return {
    cores: Math.max(1, Math.min(availableParallelism(), Math.floor(limits.cores))),
    memoryBytes: Math.min(totalmem(), limits.memoryBytes),
  };
}
