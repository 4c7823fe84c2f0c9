import type { RunClass } from '../../../src/processes/run/duckdb-engine.js';

const MEGABYTE = 2 ** 20;

/** Limits of small runs. */
export const MEDIUM: RunClass = {
  memoryBytes: 256 * MEGABYTE,
  threads: 2,
  timeoutMs: 20_000,
  maxResultBytes: 2 * MEGABYTE,
  maxSpillBytes: 64 * MEGABYTE,
  readyChildren: 1,
};
