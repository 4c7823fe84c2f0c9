import { mkdir } from 'node:fs/promises';
import { spawnChild } from '../pool/child.js';
import { childScript } from '../pool/child-script.js';
import { SpawnAhead } from '../pool/spawn-ahead.js';
import { childLimits } from './child-budget.js';
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
  /** Folder of the run folders; on the file system of the tables' parts, if they are to be linked instead of copied. */
  readonly runsFolder: string;
  readonly classes: Readonly<Record<ResourceClass, RunClass>>;
}

const READY_TIMEOUT_MS = 20_000;

/**
 * Runs statements on DuckDB, each in a process of its own that was started ahead and is used once. It is the `Engine` of
 * `executions/`, which the platform does not know.
 */
export class DuckDbEngine {
  readonly capabilities: EngineCapabilities = {
    enforcedLimits: new Set(['memoryBytes', 'threads', 'timeoutMs', 'maxResultBytes', 'maxSpillBytes']),
    fileFormats: new Set(['parquet', 'csv', 'ndjson']),
    tellsProgress: true,
  };
  readonly #runs = new Set<DuckDbRun>();
  #children: Record<ResourceClass, SpawnAhead<ToRunChild, FromRunChild>> | undefined;

  constructor(private readonly options: DuckDbEngineOptions) {}

  async open(): Promise<void> {
    await sweepRunFolders(this.options.runsFolder);
    await mkdir(this.options.runsFolder, { recursive: true });
    this.#children = { medium: this.#spawnAhead('medium'), large: this.#spawnAhead('large') };
  }

  start(request: RunRequest): EngineRun {
    const children = this.#children?.[request.resourceClass];
    if (!children) throw new Error('The engine is not open');
    const run = new DuckDbRun(request, {
      runsFolder: this.options.runsFolder,
      limits: this.options.classes[request.resourceClass],
      takeChild: () => children.take(),
    });
    this.#runs.add(run);
    void run.whenGone().then(() => this.#runs.delete(run));
    return run;
  }

  async close(): Promise<void> {
    const runs = [...this.#runs];
    for (const run of runs) run.cancel();
    await Promise.all(runs.map((run) => run.whenGone()));
    await Promise.all(Object.values(this.#children ?? {}).map((children) => children.close()));
    this.#children = undefined;
  }

  #spawnAhead(resourceClass: ResourceClass): SpawnAhead<ToRunChild, FromRunChild> {
    const { readyChildren, ...limits } = this.options.classes[resourceClass];
    const options = { script: childScript('run'), folder: this.options.runsFolder, limits: childLimits(limits) };
    return new SpawnAhead({ count: readyChildren, readyTimeoutMs: READY_TIMEOUT_MS, spawn: () => spawnChild(options) });
  }
}
