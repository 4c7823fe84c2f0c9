import { join } from 'node:path';
import { findLexicalIssue } from '../../duckdb/lexical-check.js';
import type { Lease, ProcessPool } from '../pool/process-pool.js';
import { checkResultFile } from './check-result-file.js';
import { describeWithoutValues } from './describe-without-values.js';
import type { EngineRun, RunLimits, RunOutcome, RunRequest, RunResult, RunTable, TableReference } from './run.js';
import { type AttemptEnd, RunAttempt } from './run-attempt.js';
import { RunFolder } from './run-folder.js';
import {
  type ChildTable,
  type FoundTables,
  type FromRunChild,
  findMissing,
  RESULT_FILE,
  type ToRunChild,
} from './run-messages.js';
import { TableDataMissingError } from './table-data-missing-error.js';

/** What a run needs of its engine. */
export interface RunContext {
  readonly runsFolder: string;
  readonly limits: RunLimits;
  readonly pool: ProcessPool<ToRunChild, FromRunChild>;
}

/**
 * How often the tables of a run are searched for: linked files can disappear before they are
 * linked.
 */
const MAX_LOOKUPS = 2;

/** Children that are tried until one begins the job. */
const MAX_CHILDREN = 10;

/** One statement on its way through one child, or two if its result has to be cut. */
export class DuckDbRun implements EngineRun {
  readonly outcome: Promise<RunOutcome>;
  #folder: RunFolder | undefined;
  #attempt: RunAttempt | undefined;
  /** Settles when the process of the last attempt is gone. */
  #childGone: Promise<void> | undefined;
  /**
   * When the first child was acquired: the time limit applies to all children of the run together.
   */
  #startedAt: number | undefined;
  #progress: number | undefined;
  #readPrivateTable = false;
  readonly #cancellation = new AbortController();

  constructor(
    private readonly request: RunRequest,
    private readonly context: RunContext,
  ) {
    this.outcome = this.#run().catch((error: unknown) => ({ kind: 'lost', reason: describeWithoutValues(error) }));
  }

  progressPercentage(): number | undefined {
    return this.#progress;
  }

  cancel(): void {
    this.#cancellation.abort();
    this.#attempt?.cancel();
  }

  /** Settles when the run has ended and its process is gone. Never rejects. */
  async whenGone(): Promise<void> {
    await this.outcome;
    await this.#childGone;
  }

  async dispose(): Promise<void> {
    await this.whenGone();
    await this.#folder?.remove();
  }

  async #run(): Promise<RunOutcome> {
    const message = findLexicalIssue(this.request.sql);
    if (message !== undefined) return { kind: 'failed', failure: { type: 'FAILED_TYPE_EXECUTION_FAILED', message } };
    const folder = await RunFolder.create(this.context.runsFolder, this.request.executionId);
    this.#folder = folder;
    const whole = await this.#tryIn(folder);
    if (whole.kind !== 'oversize') return this.#toOutcome(whole, folder);
    await folder.clear();
    return this.#toOutcome(await this.#tryIn(folder, this.context.limits.maxResultBytes), folder);
  }

  /** A child can die while it waits; the next one gets a job that it had not begun. */
  async #tryIn(folder: RunFolder, fitBytes?: number): Promise<AttemptEnd> {
    for (let children = 1; ; children += 1) {
      const end = await this.#tryWithChild(folder, fitBytes);
      const isUnbegun = end.kind === 'died' && !end.hadBegun;
      if (!isUnbegun || children === MAX_CHILDREN) return end;
    }
  }

  async #tryWithChild(folder: RunFolder, fitBytes?: number): Promise<AttemptEnd> {
    const lease = await this.#acquire();
    if (lease === 'cancelled') return { kind: 'cancelled' };
    this.#startedAt ??= performance.now();
    const { limits } = this.context;
    const { sql, parameters = {} } = this.request;
    const { memoryBytes, threads, maxSpillBytes } = limits;
    const job = { folder: folder.path, sql, parameters, memoryBytes, threads, maxSpillBytes };
    this.#attempt = new RunAttempt(lease.child, fitBytes === undefined ? job : { ...job, fitBytes }, {
      executionId: this.request.executionId,
      limits,
      startedAt: this.#startedAt,
      resultPath: join(folder.path, RESULT_FILE),
      findTables: (references) => this.#findTables(references, folder),
      onProgress: (percentage) => {
        // The engine begins anew with each of its statements, of which a run can have several.
        this.#progress = Math.max(percentage, this.#progress ?? 0);
      },
    });
    const end = await this.#attempt.end;
    this.#childGone = lease.release(this.request.authorId !== undefined && this.#attempt.isChildReusable);
    // A written result does not wait until the child has released its memory, a tenth of a short
    // run.
    if (end.kind !== 'written') await this.#childGone;
    return end;
  }

  /** A cancelled run does not wait for a child. */
  async #acquire(): Promise<Lease<ToRunChild, FromRunChild> | 'cancelled'> {
    const { signal } = this.#cancellation;
    try {
      // A statement of another account belongs to an owner of its own: it gets an unused child.
      const accountId = this.request.authorId ?? `run ${this.request.executionId}`;
      const lease = await this.context.pool.acquire({ accountId, signal });
      if (!signal.aborted) return lease;
      await lease.release(false);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return 'cancelled';
  }

  async #findTables(references: readonly TableReference[], folder: RunFolder): Promise<FoundTables> {
    const tables = await this.#linkTables(references, folder);
    const missing = findMissing(references, tables);
    const nearNames = missing && (await this.request.findNearNames?.(missing));
    return { tables, nearNames: nearNames ?? [] };
  }

  async #linkTables(references: readonly TableReference[], folder: RunFolder): Promise<ChildTable[]> {
    for (let lookups = 1; ; lookups += 1) {
      const tables = await this.request.resolveTables(references);
      const distinct = new Map(tables.map((table) => [`${table.namespace}.${table.name}`, table]));
      this.#readPrivateTable ||= tables.some(({ isPrivate }) => isPrivate);
      const linked = await folder.linkTables([...distinct.values()]);
      if (linked.length === distinct.size) return linked;
      if (lookups === MAX_LOOKUPS) throw new TableDataMissingError(firstMissing(distinct, linked));
    }
  }

  async #toOutcome(end: AttemptEnd, folder: RunFolder): Promise<RunOutcome> {
    switch (end.kind) {
      case 'written':
        return this.#toCompleted(end.result, folder);
      case 'died':
        return { kind: 'lost', reason: end.reason };
      case 'oversize':
        return { kind: 'lost', reason: 'The result was too large twice' };
      case 'cancelled':
      case 'failed':
        return end;
    }
  }

  async #toCompleted(result: RunResult, folder: RunFolder): Promise<RunOutcome> {
    const path = join(folder.path, RESULT_FILE);
    await checkResultFile(path, result);
    return { kind: 'completed', result, path, readPrivateTable: this.#readPrivateTable };
  }
}

/** The first of the tables that could not be linked. */
function firstMissing(tables: ReadonlyMap<string, RunTable>, linked: readonly ChildTable[]): RunTable {
  const found = new Set(linked.map(({ namespace, name }) => `${namespace}.${name}`));
  for (const [name, table] of tables) if (!found.has(name)) return table;
  throw new Error('No table is missing');
}
