import type { Connection } from '../../../duckdb/connection/connection.js';
import type { TableReference } from '../run.js';
import type { ChildTable, FoundTables, FromRunChild, RunJob, ToRunChild } from '../run-messages.js';
import { toRunFailure } from './run-failure.js';
import { runStatement } from './run-statement.js';

const PROGRESS_INTERVAL_MS = 250;

/** The one run of a run child: receives messages of the server, and sends its own. */
export class ChildRun {
  #answerTables: (found: FoundTables) => void = () => {};
  #tables: readonly ChildTable[] = [];

  constructor(
    private readonly connection: Connection,
    private readonly send: (message: FromRunChild) => void,
  ) {}

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
        this.connection.interrupt();
        break;
    }
  }

  /** A bug is not caught: it ends the process, and the server logs the class of the error. */
  async #run(job: RunJob): Promise<void> {
    const progress = setInterval(() => this.#reportProgress(), PROGRESS_INTERVAL_MS);
    try {
      process.chdir(job.folder);
      const result = await runStatement(this.connection, job, {
        enter: (phase) => this.send({ kind: 'phase', phase }),
        findTables: (references) => this.#askForTables(references),
      });
      this.send({ kind: 'written', result });
    } catch (error) {
      this.send({ kind: 'failed', failure: toRunFailure(error, job, this.#tables) });
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

  #reportProgress(): void {
    const percentage = this.connection.progressPercentage();
    if (percentage !== undefined) this.send({ kind: 'progress', percentage });
  }
}
