import type { ChildLimits } from '../pool/child-limits.js';
import type { RunLimits } from './run.js';

const MEGABYTE = 2 ** 20;

/**
 * Memory that a run child may take in all, as the operating system enforces it: `memoryBytes` bounds only what the engine
 * keeps account of, and ordinary work takes twice that.
 */
export function maxProcessBytes({ memoryBytes }: Pick<RunLimits, 'memoryBytes'>): number {
  return 2 * memoryBytes + 500 * MEGABYTE;
}

/** Resident memory at which the server kills a run child: slightly before the operating system refuses it more. */
export function maxResidentBytes(limits: Pick<RunLimits, 'memoryBytes'>): number {
  return maxProcessBytes(limits) - 100 * MEGABYTE;
}

/** What the operating system holds a run child of these limits to; somewhat more than the server itself allows. */
export function childLimits(limits: RunLimits): ChildLimits {
  const { threads, timeoutMs, maxResultBytes, maxSpillBytes } = limits;
  return {
    heapMegabytes: 256,
    niceness: 1,
    openFiles: 1024,
    dataBytes: maxProcessBytes(limits),
    fileBytes: Math.max(1.25 * maxResultBytes, maxSpillBytes) + 64 * MEGABYTE,
    cpuSeconds: 60 + (threads * 1.25 * timeoutMs) / 1000,
  };
}
