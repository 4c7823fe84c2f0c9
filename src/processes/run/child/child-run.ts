import type { Connection } from '../../../duckdb/connection/connection.js';
import type { TableReference } from '../run.js';
import type { FoundTables, FromRunChild, LinkedTable, RunOrder, ToRunChild } from '../run-messages.js';
import { toRunFailure } from './run-failure.js';
import { runStatement } from './run-statement.js';

const PROGRESS_INTERVAL_MS = 250;

/** The one run of a run child: what it is told, and what it tells. */
export class ChildRun {
  #answerTables: (found: FoundTables) => void = () => {};
  #tables: readonly LinkedTable[] = [];

  constructor(
    private readonly connection: Connection,
    private readonly send: (message: FromRunChild) => void,
  ) {}

  receive(message: ToRunChild): void {
    switch (message.kind) {
      case 'run':
        void this.#run(message.order);
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
  async #run(order: RunOrder): Promise<void> {
    const progress = setInterval(() => this.#tellProgress(), PROGRESS_INTERVAL_MS);
    try {
      process.chdir(order.folder);
      const result = await runStatement(this.connection, order, {
        enter: (phase) => this.send({ kind: 'phase', phase }),
        findTables: (references) => this.#askForTables(references),
      });
      this.send({ kind: 'written', result });
    } catch (error) {
      this.send({ kind: 'failed', failure: toRunFailure(error, order, this.#tables) });
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

  #tellProgress(): void {
    const percentage = this.connection.progressPercentage();
    if (percentage !== undefined) this.send({ kind: 'progress', percentage });
  }
}
