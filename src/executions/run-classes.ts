import type { Config } from '../config/config.js';
import type { RunClass } from './engine/duckdb/duckdb-engine.js';
import type { Performance } from './execution.js';

/** Worker slots that an execution takes: a `large` one two, where there are two. */
export function slotsFor(performance: Performance, { WORKERS }: Pick<Config, 'WORKERS'>): number {
  return performance === 'large' ? Math.min(2, WORKERS) : 1;
}

/** What each class of executions may use: the memory of its slots. Children wait for `medium` runs; a `large` one waits for its child. */
export function runClasses(config: Config): Record<Performance, RunClass> {
  const limitsOf = (performance: Performance) => ({
    memoryBytes: config.WORKER_MEMORY * slotsFor(performance, config),
    threads: config.WORKER_THREADS,
    timeoutMs: config.EXECUTION_TIMEOUT,
    maxResultBytes: config.MAX_RESULT_BYTES,
    maxSpillBytes: config.MAX_SPILL_BYTES,
  });
  return {
    medium: { ...limitsOf('medium'), readyChildren: config.WORKERS },
    large: { ...limitsOf('large'), readyChildren: 0 },
  };
}
