import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { ChildEndedError, type ChildExit, ChildNotReadyError } from './child-exit.js';
import { type ChildLimits, limitedCommand } from './child-limits.js';
import { exitCause } from './exit-cause.js';
import { watchMemory } from './memory-watchdog.js';

/** What to start as a child process. */
export interface ChildOptions {
  /** Absolute path of the script, for instance from `childScript`. */
  readonly script: string;
  /** The working directory; it must exist. */
  readonly folder: string;
  /** Whether the folder is the child's own, and removed with it. */
  readonly ownsFolder?: boolean;
  readonly limits: ChildLimits;
  /**
   * Variables beside `PATH` and `LANG`. A child gets nothing else of the environment of the server.
   */
  readonly environment?: Readonly<Record<string, string>>;
}

const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' };
const STDERR_TAIL_LENGTH = 4096;

/**
 * Starts a child process under its limits. Never throws: if the child cannot start, `exited` has an
 * `error`.
 */
export function spawnChild<Sent extends object, Received>(options: ChildOptions): Child<Sent, Received> {
  const command = limitedCommand(options.limits);
  const process_ = spawn('sh', ['-c', command, 'sh', options.folder, process.execPath, options.script], {
    cwd: '/',
    env: { ...ENVIRONMENT, ...options.environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  return new Child(process_, options);
}

/**
 * A child process and the messages exchanged with it: plain JSON data, `Sent` to the child and
 * `Received` from it. The other end is `connectToParent`.
 */
export class Child<Sent extends object, Received> {
  /** Settles once the process is gone and its last message has been delivered. Never rejects. */
  readonly exited: Promise<ChildExit>;
  /** Settles once its own folder is gone as well. */
  readonly gone: Promise<void>;
  /** Its working directory. */
  readonly folder: string;
  readonly #limits: ChildLimits;
  #hasExited = false;
  #isOverMemory = false;

  constructor(
    private readonly process: ChildProcess,
    { folder, ownsFolder, limits }: ChildOptions,
  ) {
    this.folder = folder;
    this.#limits = limits;
    this.exited = this.#watchExit();
    this.gone = this.exited.then(() => (ownsFolder ? rm(folder, { recursive: true, force: true }) : undefined));
    this.gone.catch(() => {});
  }

  /** Absent if the process could not be started. */
  get pid(): number | undefined {
    return this.process.pid;
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** Sends a message. It is dropped if the child is gone: `exited` reports that. */
  send(message: Sent): void {
    if (this.process.connected) this.process.send(message, () => {});
  }

  /** Calls the listener for each message, until the returned function is called. */
  onMessage(listener: (message: Received) => void): () => void {
    const forward = (message: unknown) => listener(message as Received);
    this.process.on('message', forward);
    return () => this.process.off('message', forward);
  }

  /**
   * Sends a message and waits for the next one from the process.
   *
   * @throws ChildEndedError, the reason of the signal
   */
  async ask(message: Sent, signal?: AbortSignal): Promise<Received> {
    signal?.throwIfAborted();
    this.send(message);
    return this.#next(signal);
  }

  /**
   * Waits for the first message: the process is ready. One that is not ready in time is killed.
   *
   * @throws ChildNotReadyError, when the process is gone
   */
  async untilReady(timeoutMs: number): Promise<void> {
    try {
      await this.#next(AbortSignal.timeout(timeoutMs));
    } catch (error) {
      this.kill();
      await this.gone;
      throw new ChildNotReadyError(error instanceof ChildEndedError ? error.exit : undefined);
    }
  }

  /** Kills the process if it exceeds `residentBytes`, until the returned function is called. */
  watchMemory(): () => void {
    if (this.pid === undefined || this.#limits.residentBytes === undefined) return () => {};
    return watchMemory(this.pid, this.#limits.residentBytes, () => {
      this.#isOverMemory = true;
      this.kill();
    });
  }

  /** Ends the process at once, even if it is busy. Harmless if it is gone. */
  kill(): void {
    this.process.kill('SIGKILL');
  }

  async #next(signal: AbortSignal | undefined): Promise<Received> {
    const { promise, resolve, reject } = Promise.withResolvers<Received>();
    const stopListening = this.onMessage(resolve);
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      const first = await Promise.race([promise, this.exited.then((exit) => new ChildEndedError(exit))]);
      if (first instanceof ChildEndedError) throw first;
      return first;
    } finally {
      stopListening();
      signal?.removeEventListener('abort', abort);
    }
  }

  async #watchExit(): Promise<ChildExit> {
    let tail = '';
    this.process.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      tail = (tail + chunk).slice(-STDERR_TAIL_LENGTH);
    });
    const disconnected = new Promise<void>((resolve) => this.process.once('disconnect', resolve));
    const exit = await new Promise<ChildExit>((resolve) => {
      // Messages that could not be sent are errors, too: without a process, it could not be
      // started.
      this.process.on('error', (error) => this.process.pid ?? resolve({ code: null, signal: null, error }));
      this.process.once('close', (code, signal) => resolve({ code, signal }));
    });
    // The last messages of the child arrive before the channel reports its end, but possibly after
    // the exit.
    if (this.process.connected) await disconnected;
    this.#hasExited = true;
    const cause = exitCause(tail);
    return { ...exit, ...(cause !== undefined && { cause }), ...(this.#isOverMemory && { isOverMemory: true }) };
  }
}
