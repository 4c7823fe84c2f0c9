import type { Config } from '../config/config.js';
import type { RunClass } from '../processes/run/duckdb-engine.js';
import type { Performance } from './execution.js';
import { sharedSlots } from './plan-slots.js';

/** Worker slots that an execution takes: a `large` one two, if accounts share as many. */
export function slotsFor(performance: Performance, workers: Pick<Config, 'WORKERS'>): number {
  return performance === 'large' ? Math.min(2, sharedSlots(workers)) : 1;
}

/**
 * The limits of each class of executions: the memory of its slots, and its time. Children are kept
 * ready for `medium` runs; a `large` one waits for its child.
 */
export function runClasses(config: Config): Record<Performance, RunClass> {
  const limitsOf = (performance: Performance, timeoutMs: number) => ({
    memoryBytes: config.WORKER_MEMORY * slotsFor(performance, config),
    threads: config.WORKER_THREADS,
    timeoutMs,
    maxResultBytes: config.MAX_RESULT_BYTES,
    maxSpillBytes: config.MAX_SPILL_BYTES,
  });
  const { EXECUTION_TIMEOUT, LARGE_EXECUTION_TIMEOUT } = config;
  return {
    medium: { ...limitsOf('medium', EXECUTION_TIMEOUT), readyChildren: config.WORKERS },
    large: { ...limitsOf('large', Math.max(EXECUTION_TIMEOUT, LARGE_EXECUTION_TIMEOUT)), readyChildren: 0 },
  };
}
