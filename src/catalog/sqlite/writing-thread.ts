import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { scriptPath } from '../../config/script-path.js';
import type { Statement, StatementResult } from './sqlite-file.js';

/** The thread's answer to each message: a result, or an error. */
export type ThreadAnswer =
  | StatementResult
  | { readonly failure: { readonly message: string; readonly errcode: unknown } };

/** A message to the thread: run a statement, or close the file and end. */
export type ThreadRequest = Statement | 'close';

/** Limits, not reservations: many times a statement with its rows. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

/**
 * A connection to the catalog in another thread, where a commit may wait for the disk or another
 * process. Statements run in the order in which they are sent. The thread keeps the process alive
 * only while an answer is pending; if it runs out of memory, the process dies with it.
 */
export class WritingThread {
  private readonly worker: Worker;
  /** Receivers of the pending answers, in order; the first answer is that the file is open. */
  private readonly waiting: ((answer: ThreadAnswer) => void)[] = [];
  private isEnding = false;

  private constructor(path: string) {
    const script = scriptPath('catalog/sqlite/catalog.thread.js', 'threads/catalog.thread.js');
    this.worker = new Worker(script, { workerData: path, execArgv: [], resourceLimits: RESOURCE_LIMITS });
    this.worker.on('message', (answer: ThreadAnswer) => this.receive(answer));
  }

  /** Opens a file; creates it when absent. */
  static async open(path: string): Promise<WritingThread> {
    const thread = new WritingThread(path);
    await thread.nextAnswer();
    return thread;
  }

  async run(statement: Statement): Promise<StatementResult> {
    if (this.isEnding) throw new Error('The catalog is closed');
    if (this.waiting.length === 0) this.worker.ref();
    this.worker.postMessage({ sql: statement.sql, parameters: statement.parameters } satisfies ThreadRequest);
    return await this.nextAnswer();
  }

  /** Completes earlier statements, rolls back an open transaction, and ends the thread. */
  async end(): Promise<void> {
    this.isEnding = true;
    const exited = once(this.worker, 'exit');
    this.worker.ref();
    this.worker.postMessage('close' satisfies ThreadRequest);
    await exited;
  }

  private async nextAnswer(): Promise<StatementResult> {
    const answer = await new Promise<ThreadAnswer>((resolve) => this.waiting.push(resolve));
    if ('failure' in answer)
      throw Object.assign(new Error(answer.failure.message), { errcode: answer.failure.errcode });
    return answer;
  }

  private receive(answer: ThreadAnswer): void {
    this.waiting.shift()?.(answer);
    if (this.waiting.length === 0 && !this.isEnding) this.worker.unref();
  }
}
