import type { Connection } from '../../../duckdb/connection/connection.js';
import type { TableReference } from '../run.js';
import type { ChildTable, FoundTables, FromRunChild, RunJob, ToRunChild } from '../run-messages.js';
import { isHarmless, isUsedUp } from './reuse.js';
import { toRunFailure } from './run-failure.js';
import { runStatement } from './run-statement.js';
import { openSandbox } from './sandbox.js';

const PROGRESS_INTERVAL_MS = 250;

/**
 * The runs of a run child, one after the other, each in a database of its own that is opened before
 * it is needed. Receives messages of the server, and sends its own.
 */
export class ChildRuns {
  #answerTables: (found: FoundTables) => void = () => {};
  #tables: readonly ChildTable[] = [];
  /** The database of the next run; it is open once the one before is closed. */
  #next: Promise<Connection>;
  #current: Connection | undefined;

  constructor(
    sandbox: Connection,
    private readonly send: (message: FromRunChild) => void,
  ) {
    this.#next = Promise.resolve(sandbox);
  }

  receive(message: ToRunChild): void {
    switch (message.kind) {
      case 'run':
        void this.#run(message.job);
        break;
      case 'tables':
        this.#tables = message.tables;
        this.#answerTables(message);
        break;
      case 'interrupt':
        this.#current?.interrupt();
        break;
    }
  }

  async #run(job: RunJob): Promise<void> {
    const sandbox = await this.#next;
    this.#current = sandbox;
    this.#tables = [];
    const end = await this.#runIn(sandbox, job);
    this.#current = undefined;
    this.send(end);
    if (!end.isReusable) return;
    sandbox.close();
    this.#next = openSandbox();
  }

  /** A bug is not caught: it ends the process, and the server logs the class of the error. */
  async #runIn(sandbox: Connection, job: RunJob): Promise<Extract<FromRunChild, { kind: 'written' | 'failed' }>> {
    const progress = setInterval(() => this.#reportProgress(sandbox), PROGRESS_INTERVAL_MS);
    try {
      process.chdir(job.folder);
      const result = await runStatement(sandbox, job, {
        enter: (phase) => this.send({ kind: 'phase', phase }),
        findTables: (references) => this.#askForTables(references),
      });
      return { kind: 'written', result, isReusable: !isUsedUp() };
    } catch (error) {
      const failure = toRunFailure(error, job, this.#tables);
      return { kind: 'failed', failure, isReusable: isHarmless(error) && !isUsedUp() };
    } finally {
      clearInterval(progress);
    }
  }

  #askForTables(references: readonly TableReference[]): Promise<FoundTables> {
    return new Promise((resolve) => {
      this.#answerTables = resolve;
      this.send({ kind: 'tables', references });
    });
  }

  #reportProgress(sandbox: Connection): void {
    const percentage = sandbox.progressPercentage();
    if (percentage !== undefined) this.send({ kind: 'progress', percentage });
  }
}
