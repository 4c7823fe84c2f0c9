import { join } from 'node:path';
import { lexicalFault } from '../../duckdb/lexical-check.js';
import type { Child } from '../pool/child.js';
import { checkResultFile } from './check-result-file.js';
import { lossReason } from './loss-reason.js';
import type { EngineRun, RunLimits, RunOutcome, RunRequest, RunTable, TableReference } from './run.js';
import { type AttemptEnd, RunAttempt } from './run-attempt.js';
import { RunFolder } from './run-folder.js';
import {
  type FoundTables,
  type FromRunChild,
  findMissing,
  type LinkedTable,
  RESULT_FILE,
  type ToRunChild,
  type WrittenResult,
} from './run-messages.js';
import { TableDataMissingError } from './table-data-missing-error.js';

/** A child that runs one order. */
export type RunChild = Child<ToRunChild, FromRunChild>;

/** What a run needs of its engine. */
export interface RunSurroundings {
  readonly runsFolder: string;
  readonly limits: RunLimits;
  /** Hands out a child that is ready and has run nothing. */
  readonly takeChild: () => Promise<RunChild>;
}

/** Looks for the tables of a run: files of others can go between a look for them and their link. */
const MAX_LOOKS = 2;

/** Children that are tried until one begins the order. */
const MAX_CHILDREN = 10;

/** One statement on its way through one child, or two when its result has to be cut. */
export class DuckDbRun implements EngineRun {
  readonly outcome: Promise<RunOutcome>;
  #folder: RunFolder | undefined;
  #attempt: RunAttempt | undefined;
  /** When the first child was there: the time of the run counts from then, through all of its children. */
  #startedAt: number | undefined;
  #progress: number | undefined;
  #readPrivateTable = false;
  #isCancelled = false;
  #cancel: () => void = () => {};
  readonly #cancelled = new Promise<'cancelled'>((resolve) => {
    this.#cancel = () => resolve('cancelled');
  });

  constructor(
    private readonly request: RunRequest,
    private readonly surroundings: RunSurroundings,
  ) {
    this.outcome = this.#run().catch((error: unknown) => ({ kind: 'lost', reason: lossReason(error) }));
  }

  progressPercentage(): number | undefined {
    return this.#progress;
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#cancel();
    this.#attempt?.cancel();
  }

  /** Settles when the run has ended and its process is gone. Never rejects. */
  async whenGone(): Promise<void> {
    await this.outcome;
    await this.#attempt?.whenGone();
  }

  async dispose(): Promise<void> {
    await this.whenGone();
    await this.#folder?.remove();
  }

  async #run(): Promise<RunOutcome> {
    const message = lexicalFault(this.request.sql);
    if (message !== undefined) return { kind: 'failed', failure: { type: 'FAILED_TYPE_EXECUTION_FAILED', message } };
    const folder = await RunFolder.create(this.surroundings.runsFolder, this.request.executionId);
    this.#folder = folder;
    const whole = await this.#tryIn(folder);
    if (whole.kind !== 'oversize') return this.#toOutcome(whole, folder);
    await folder.clear();
    return this.#toOutcome(await this.#tryIn(folder, this.surroundings.limits.maxResultBytes), folder);
  }

  /** A child can die while it waits; an order that it had not begun goes to the next. */
  async #tryIn(folder: RunFolder, fitBytes?: number): Promise<AttemptEnd> {
    for (let children = 1; ; children += 1) {
      const end = await this.#tryWithChild(folder, fitBytes);
      const isUnbegun = end.kind === 'died' && !end.hadBegun;
      if (!isUnbegun || children === MAX_CHILDREN) return end;
    }
  }

  async #tryWithChild(folder: RunFolder, fitBytes?: number): Promise<AttemptEnd> {
    const { limits } = this.surroundings;
    const child = await this.#takeChild();
    if (child === 'cancelled') return { kind: 'cancelled' };
    this.#startedAt ??= performance.now();
    const { sql, parameters = {} } = this.request;
    const { memoryBytes, threads, maxSpillBytes } = limits;
    const order = { folder: folder.path, sql, parameters, memoryBytes, threads, maxSpillBytes };
    this.#attempt = new RunAttempt(child, fitBytes === undefined ? order : { ...order, fitBytes }, {
      limits,
      startedAt: this.#startedAt,
      resultPath: join(folder.path, RESULT_FILE),
      findTables: (references) => this.#findTables(references, folder),
      onProgress: (percentage) => {
        // The engine begins anew with each of its statements, of which a run can have several.
        this.#progress = Math.max(percentage, this.#progress ?? 0);
      },
    });
    return this.#attempt.end;
  }

  /** A child may be long in coming; who cancels does not wait for it. */
  async #takeChild(): Promise<RunChild | 'cancelled'> {
    const taking = this.surroundings.takeChild();
    const first = await Promise.race([taking, this.#cancelled]);
    if (!this.#isCancelled) return first;
    void taking.then(
      (child) => child.kill(),
      () => {},
    );
    return 'cancelled';
  }

  async #findTables(references: readonly TableReference[], folder: RunFolder): Promise<FoundTables> {
    const tables = await this.#linkTables(references, folder);
    const missing = findMissing(references, tables);
    const nearNames = missing && (await this.request.findNearNames?.(missing));
    return { tables, nearNames: nearNames ?? [] };
  }

  async #linkTables(references: readonly TableReference[], folder: RunFolder): Promise<LinkedTable[]> {
    for (let looks = 1; ; looks += 1) {
      const tables = await this.request.resolveTables(references);
      const distinct = new Map(tables.map((table) => [`${table.namespace}.${table.name}`, table]));
      this.#readPrivateTable ||= tables.some(({ isPrivate }) => isPrivate);
      const linked = await folder.linkTables([...distinct.values()]);
      if (linked.length === distinct.size) return linked;
      if (looks === MAX_LOOKS) throw new TableDataMissingError(firstMissing(distinct, linked));
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

  async #toCompleted(written: WrittenResult, folder: RunFolder): Promise<RunOutcome> {
    const path = join(folder.path, RESULT_FILE);
    await checkResultFile(path, written);
    return { kind: 'completed', result: { path, ...written, readPrivateTable: this.#readPrivateTable } };
  }
}

/** The first of the tables that could not be linked. */
function firstMissing(tables: ReadonlyMap<string, RunTable>, linked: readonly LinkedTable[]): RunTable {
  const found = new Set(linked.map(({ namespace, name }) => `${namespace}.${name}`));
  for (const [name, table] of tables) if (!found.has(name)) return table;
  throw new Error('No table is missing');
}
