import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Child, type ChildExit, spawnChild } from '../pool/child.js';
import type { ChildLimits } from '../pool/child-limits.js';
import { childScript } from '../pool/child-script.js';
import { watchMemory } from '../pool/memory-watchdog.js';
import { untilReady } from '../pool/until-ready.js';
import { BufferPool } from './buffer-pool.js';
import { FairShare } from './fair-share.js';
import { PipeStream } from './pipe-stream.js';
import type { ReadJob } from './read-job.js';
import { ReaderLostError, ReadFailedError, ReadTooHeavyError } from './reader.errors.js';
import type { FromReadChild, PriorityClass, ToReadChild } from './reader-messages.js';

/** How a read child is started. */
export interface ReadChildOptions {
  /** Private folder of the child: its pipes and what its engine spills. Created here, removed when the child is gone. */
  readonly folder: string;
  /** Folders of the results that it may read. */
  readonly resultFolders: readonly string[];
  /** Memory that the engine may plan with. */
  readonly memoryBytes: number;
  /** The child is killed when it holds more than this. */
  readonly maxResidentBytes: number;
  readonly threads: number;
  /** Longest time that the engine may take for the next bytes of a read. */
  readonly stallMs: number;
}

/** Reads of one priority class that one child does at the same time: its slots. */
const SLOTS_PER_CLASS = 12;
const BUFFER_BYTES = 256 * 2 ** 10;
/** Pages are taken from the engine as fast as it writes, within this and for so many of them, whatever their clients do. */
const READ_AHEAD_BYTES = 8 * 2 ** 20;
const MAX_READ_AHEADS = 32;
const READY_TIMEOUT_MS = 30_000;
const INTERRUPT_INTERVAL_MS = 50;
/** An engine that does not stop for so long is killed with its process. */
const INTERRUPT_PATIENCE_MS = 5_000;

/** One pool for all reads of the process. */
const buffers = new BufferPool();

/** Called with the class and the account of a slot that is free again. */
type OnFreed = (priority: PriorityClass, accountId: string) => void;

interface Read {
  readonly stream: PipeStream;
  readonly started: () => void;
  readonly fail: (error: Error) => void;
  readonly finish: () => void;
}

/** A long-lived process that reads results for the server: text comes back through named pipes into which its engine writes. */
export class ReadChild {
  private readonly reads = new Map<number, Read>();
  private readonly freePipes: Record<PriorityClass, string[]>;
  private lastId = 0;
  /** Streams that may still buffer {@link READ_AHEAD_BYTES}. */
  private freeReadAheads = MAX_READ_AHEADS;
  private readonly readAheads = new FairShare(1);
  /** Settles when the process and its folder are gone. */
  readonly exited: Promise<ChildExit>;

  private constructor(
    private readonly child: Child<ToReadChild, FromReadChild>,
    private readonly onFreed: OnFreed,
    private readonly options: ReadChildOptions,
  ) {
    this.freePipes = {
      interactive: pipePaths(options.folder, 'interactive'),
      bulk: pipePaths(options.folder, 'bulk'),
    };
    child.onMessage((message) => this.receive(message));
    const stopWatching = child.pid
      ? watchMemory(child.pid, options.maxResidentBytes, () => child.kill(), 100)
      : () => {};
    this.exited = child.exited.then(async (exit) => {
      stopWatching();
      for (const read of [...this.reads.values()]) read.fail(new ReaderLostError());
      await rm(options.folder, { recursive: true, force: true });
      return exit;
    });
  }

  /**
   * Starts a child and waits until it can read. `onFreed` is called whenever a read has released
   * its slot.
   */
  static async start(options: ReadChildOptions, limits: ChildLimits, onFreed: OnFreed): Promise<ReadChild> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const pipes = (['interactive', 'bulk'] as const).flatMap((priority) => pipePaths(options.folder, priority));
    await promisify(execFile)('mkfifo', ['-m', '600', ...pipes]);
    const child = spawnChild<ToReadChild, FromReadChild>({
      script: childScript('read'),
      folder: options.folder,
      limits,
      // Each query in flight holds one thread of the pool.
      environment: { UV_THREADPOOL_SIZE: String(pipes.length + 4) },
    });
    const readChild = new ReadChild(child, onFreed, options);
    const { resultFolders, memoryBytes, threads } = options;
    child.send({ kind: 'open', options: { resultFolders, pipesFolder: options.folder, memoryBytes, threads } });
    await untilReady(child, READY_TIMEOUT_MS);
    return readChild;
  }

  freeSlots(priority: PriorityClass): number {
    return this.child.hasExited ? 0 : this.freePipes[priority].length;
  }

  /** Reads under way. */
  get load(): number {
    return this.reads.size;
  }

  /**
   * Runs a statement and hands out the text that it writes, once the engine has accepted it.
   *
   * @throws ReadFailedError, ReadTooHeavyError, ReaderLostError; the stream is destroyed with the same.
   */
  copy(job: ReadJob): Promise<PipeStream> {
    const { priority, client, statement } = job;
    const pipe = this.freePipes[priority].pop();
    if (pipe === undefined) throw new Error('The read child has no free slot');
    const free = () => {
      this.freePipes[priority].push(pipe);
      this.onFreed(priority, client.accountId);
    };
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      let stream: PipeStream;
      try {
        stream = this.openStream(job, pipe, () => this.interrupt(id));
      } catch (error) {
        free();
        throw error;
      }
      void stream.released.then(free);
      const finish = () => this.reads.delete(id);
      const fail = (error: Error) => {
        finish();
        stream.fail(error);
        reject(error);
      };
      this.reads.set(id, { stream, started: () => resolve(stream), fail, finish });
      this.child.send({ kind: 'copy', id, priority, statement, pipe });
    });
  }

  /** Ends the process at once. */
  kill(): void {
    this.child.kill();
  }

  /** An ordinary page fits into its buffer whole, so that a slow client holds up neither the engine nor the next page. */
  private openStream({ priority, client: { accountId } }: ReadJob, pipe: string, onAbandoned: () => void): PipeStream {
    const isReadAhead = priority === 'interactive' && this.readAheads.mayTake(accountId, this.freeReadAheads);
    const bufferBytes = isReadAhead ? READ_AHEAD_BYTES : BUFFER_BYTES;
    const stream = new PipeStream(pipe, buffers, bufferBytes, this.options.stallMs, onAbandoned);
    if (!isReadAhead) return stream;
    this.freeReadAheads -= 1;
    this.readAheads.take(accountId);
    stream.once('close', () => {
      this.freeReadAheads += 1;
      this.readAheads.release(accountId);
    });
    return stream;
  }

  private receive(message: FromReadChild): void {
    if (message.kind === 'ready') return;
    const read = this.reads.get(message.id);
    if (!read) return;
    if (message.kind === 'started') read.started();
    if (message.kind === 'failed') read.fail(new ReadFailedError(message.message));
    if (message.kind === 'out-of-memory') read.fail(new ReadTooHeavyError());
    if (message.kind === 'done') {
      read.stream.succeed();
      read.finish();
    }
  }

  /** An interrupt that comes before the query has begun is lost, so it is repeated until the engine has stopped. */
  private interrupt(id: number): void {
    const giveUpAt = performance.now() + INTERRUPT_PATIENCE_MS;
    const timer = setInterval(() => {
      if (!this.reads.has(id)) clearInterval(timer);
      else if (performance.now() > giveUpAt) this.child.kill();
      else this.child.send({ kind: 'interrupt', id });
    }, INTERRUPT_INTERVAL_MS);
    this.child.send({ kind: 'interrupt', id });
  }
}

function pipePaths(folder: string, priority: PriorityClass): string[] {
  return Array.from({ length: SLOTS_PER_CLASS }, (_, index) => join(folder, `${priority}-${index}`));
}
