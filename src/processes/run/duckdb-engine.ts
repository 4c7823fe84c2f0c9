import { mkdir } from 'node:fs/promises';
import { childScript } from '../pool/child-script.js';
import { ProcessPool } from '../pool/process-pool.js';
import { childLimits } from './child-limits.js';
import { DuckDbRun } from './duckdb-run.js';
import type { EngineCapabilities, EngineRun, ResourceClass, RunLimits, RunRequest } from './run.js';
import { sweepRunFolders } from './run-folder.js';
import type { FromRunChild, ToRunChild } from './run-messages.js';

/** Limits of a class of runs, and how many children of the class wait for work. */
export interface RunClass extends RunLimits {
  readonly readyChildren: number;
}

/** Where runs work and what they may use. */
export interface DuckDbEngineOptions {
  /**
   * Folder of the run folders. It is on the file system of the parts of tables if they are to be
   * linked.
   */
  readonly runsFolder: string;
  /** How many statements of one author a child runs, one after the other, before it is replaced. */
  readonly runsPerChild: number;
  readonly classes: Readonly<Record<ResourceClass, RunClass>>;
}

const READY_TIMEOUT_MS = 20_000;

/** A child that waits for the next statement of its account is ended after this time. */
const MAX_IDLE_MS = 60_000;

/**
 * Runs statements on DuckDB in processes of a warm pool. A process runs statements of one account
 * only, and statements of another author alone. The features see it as the `Engine` of
 * `executions/`.
 */
export class DuckDbEngine {
  readonly capabilities: EngineCapabilities = {
    enforcedLimits: new Set(['memoryBytes', 'threads', 'timeoutMs', 'maxResultBytes', 'maxSpillBytes']),
    fileFormats: new Set(['parquet', 'csv', 'ndjson']),
    reportsProgress: true,
  };
  readonly #runs = new Set<DuckDbRun>();
  #pools: Record<ResourceClass, ProcessPool<ToRunChild, FromRunChild>> | undefined;

  constructor(private readonly options: DuckDbEngineOptions) {}

  get isFailing(): boolean {
    return Object.values(this.#pools ?? {}).some((pool) => pool.isFailing);
  }

  async open(): Promise<void> {
    await sweepRunFolders(this.options.runsFolder);
    await mkdir(this.options.runsFolder, { recursive: true });
    this.#pools = { medium: this.#openPool('medium'), large: this.#openPool('large') };
  }

  start(request: RunRequest): EngineRun {
    const pool = this.#pools?.[request.resourceClass];
    if (!pool) throw new Error('The engine is not open');
    const run = new DuckDbRun(request, {
      runsFolder: this.options.runsFolder,
      limits: this.options.classes[request.resourceClass],
      pool,
    });
    this.#runs.add(run);
    void run.whenGone().then(() => this.#runs.delete(run));
    return run;
  }

  async close(): Promise<void> {
    const runs = [...this.#runs];
    for (const run of runs) run.cancel();
    await Promise.all(runs.map((run) => run.whenGone()));
    await Promise.all(Object.values(this.#pools ?? {}).map((pool) => pool.close()));
    this.#pools = undefined;
  }

  /** Runs wait for the first children; the service does not. */
  #openPool(resourceClass: ResourceClass): ProcessPool<ToRunChild, FromRunChild> {
    const { readyChildren, ...limits } = this.options.classes[resourceClass];
    const pool = new ProcessPool<ToRunChild, FromRunChild>({
      script: childScript('run'),
      folder: this.options.runsFolder,
      limits: childLimits(limits),
      min: readyChildren,
      max: Number.POSITIVE_INFINITY,
      maxUse: this.options.runsPerChild,
      belongsToAccount: true,
      retireIdle: { use: 0, afterMs: MAX_IDLE_MS },
      maxIdleOwned: Math.max(1, readyChildren),
      readyTimeoutMs: READY_TIMEOUT_MS,
    });
    pool.open().catch(() => {});
    return pool;
  }
}
