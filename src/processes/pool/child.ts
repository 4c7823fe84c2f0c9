import { type ChildProcess, spawn } from 'node:child_process';
import { type ChildLimits, limitedCommand } from './child-limits.js';
import { exitCause } from './exit-cause.js';
import { TextTail } from './text-tail.js';

/** What to start as a child process. */
export interface ChildOptions {
  /** Absolute path of the script, for instance from `childScript`. */
  readonly script: string;
  /** The working directory; it must exist. */
  readonly folder: string;
  readonly limits: ChildLimits;
  /** Variables beside `PATH` and `LANG`: nothing of the server's own environment reaches a child. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** How a child ended: by an exit code, by a signal, or `error` when it could not be started at all. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What it wrote to stderr, by a word of {@link exitCause}: the text itself is not kept. */
  readonly cause?: string;
  readonly error?: Error;
}

const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' };
const STDERR_TAIL_LENGTH = 4096;

/** Starts a child process under its limits. Never throws: a child that cannot start has `exited` with an `error`. */
export function spawnChild<Sent extends object, Received>(options: ChildOptions): Child<Sent, Received> {
  const command = limitedCommand(options.limits);
  const process_ = spawn('sh', ['-c', command, 'sh', options.folder, process.execPath, options.script], {
    cwd: '/',
    env: { ...ENVIRONMENT, ...options.environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  return new Child(process_);
}

/**
 * A child process and the messages exchanged with it: plain JSON data, `Sent` to the child and `Received` from it.
 * The other end is `connectToParent`.
 */
export class Child<Sent extends object, Received> {
  /** Settles once the process is gone and its last message has been delivered. Never rejects. */
  readonly exited: Promise<ChildExit>;
  #hasExited = false;

  constructor(private readonly process: ChildProcess) {
    this.exited = this.#watchExit();
  }

  /** Absent if the process could not be started. */
  get pid(): number | undefined {
    return this.process.pid;
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** Sends a message; one to a child that is gone is dropped, as `exited` tells of that. */
  send(message: Sent): void {
    if (this.process.connected) this.process.send(message, () => {});
  }

  /** Calls the listener for each message, until the returned function is called. */
  onMessage(listener: (message: Received) => void): () => void {
    const forward = (message: unknown) => listener(message as Received);
    this.process.on('message', forward);
    return () => this.process.off('message', forward);
  }

  /** Ends the process at once, whatever it is doing. Harmless if it is gone. */
  kill(): void {
    this.process.kill('SIGKILL');
  }

  async #watchExit(): Promise<ChildExit> {
    const tail = new TextTail(STDERR_TAIL_LENGTH);
    this.process.stderr?.setEncoding('utf8').on('data', (chunk: string) => tail.append(chunk));
    const disconnected = new Promise<void>((resolve) => this.process.once('disconnect', resolve));
    const exit = await new Promise<ChildExit>((resolve) => {
      // Also told of messages that could not be sent: only without a process was it a failure to start.
      this.process.on('error', (error) => this.process.pid ?? resolve({ code: null, signal: null, error }));
      this.process.once('close', (code, signal) => resolve({ code, signal }));
    });
    // Messages that the child sent last arrive before the channel reports its end, but possibly after the exit.
    if (this.process.connected) await disconnected;
    this.#hasExited = true;
    const cause = exitCause(tail.toString());
    return cause === undefined ? exit : { ...exit, cause };
  }
}
