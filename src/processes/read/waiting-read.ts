import type { PipeStream } from './pipe-stream.js';
import type { ReadChild } from './read-child.js';
import type { ReadJob } from './read-job.js';
import { ClientGoneError, ReadersBusyError } from './reader.errors.js';

/**
 * A read that waits for a slot: it is started, or it ends because nothing was free in time, or
 * because its client is gone.
 */
export class WaitingRead {
  readonly accountId: string;
  /** Settles with the read's text once the engine has accepted it. */
  readonly text: Promise<PipeStream>;
  private readonly timer: NodeJS.Timeout;
  private resolve!: (text: Promise<PipeStream>) => void;
  private reject!: (error: Error) => void;

  /** @param onEnded called if the read ends without a start. */
  constructor(
    private readonly job: ReadJob,
    patienceMs: number,
    private readonly onEnded: (read: WaitingRead) => void,
  ) {
    this.accountId = job.client.accountId;
    this.text = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.timer = setTimeout(() => this.end(new ReadersBusyError(patienceMs)), patienceMs);
    job.client.gone.addEventListener('abort', this.onGone);
  }

  /** Starts the read in a child that has a free slot. */
  start(child: ReadChild): void {
    this.stopWaiting();
    this.resolve(child.copy(this.job));
  }

  /** Ends the wait with an error. */
  end(error: Error): void {
    this.stopWaiting();
    this.onEnded(this);
    this.reject(error);
  }

  private readonly onGone = () => this.end(new ClientGoneError());

  private stopWaiting(): void {
    clearTimeout(this.timer);
    this.job.client.gone.removeEventListener('abort', this.onGone);
  }
}
