import { childBudgetBytes } from '../../config/memory-budget.js';
import type { ChildLimits } from '../pool/child-limits.js';
import type { RunLimits } from './run.js';

const MEGABYTE = 2 ** 20;

/**
 * Resident memory at which the server kills a run child: slightly before the system refuses it
 * more.
 */
export function maxResidentBytes({ memoryBytes }: Pick<RunLimits, 'memoryBytes'>): number {
  return childBudgetBytes('run', memoryBytes) - 100e6;
}

/** The limits of a run child. Those of the system are somewhat higher than those of the server. */
export function childLimits({
  memoryBytes,
  threads,
  timeoutMs,
  maxResultBytes,
  maxSpillBytes,
}: RunLimits): ChildLimits {
  return {
    heapMegabytes: 256,
    niceness: 1,
    openFiles: 1024,
    residentBytes: maxResidentBytes({ memoryBytes }),
    dataBytes: childBudgetBytes('run', memoryBytes),
    fileBytes: Math.max(1.25 * maxResultBytes, maxSpillBytes) + 64 * MEGABYTE,
    cpuSeconds: 60 + (threads * 1.25 * timeoutMs) / 1000,
  };
}
