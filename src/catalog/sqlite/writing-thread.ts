import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { projectRoot } from '../../config/project-root.js';
import type { Statement, StatementResult } from './sqlite-file.js';

/** What the thread says to each message: the result, or why there is none. */
export type ThreadAnswer =
  | StatementResult
  | { readonly failure: { readonly message: string; readonly errcode: unknown } };

/** What the thread is asked: to run a statement, or to close the file and end. */
export type ThreadRequest = Statement | 'close';

/** Caps, not reservations: a statement and its rows at once, many times over. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

/**
 * A connection to the catalog in a thread of its own, where a commit may wait for the disk, or for another process. Statements run one
 * after the other, in the order in which they are sent. The thread keeps the process alive only while something waits for it; should it
 * die, for want of memory, the process dies with it.
 */
export class WritingThread {
  private readonly worker: Worker;
  /** Whoever waits for an answer, in order; the first is the one that waits for the file to open. */
  private readonly waiting: ((answer: ThreadAnswer) => void)[] = [];
  private isEnding = false;

  private constructor(path: string) {
    const script = join(projectRoot(), 'dist/threads/catalog.thread.js');
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

  /** Lets what was sent before come to its end, undoes an open transaction, closes the file and waits until the thread is gone. */
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
