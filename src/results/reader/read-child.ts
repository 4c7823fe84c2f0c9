import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Child, type ChildExit, spawnChild } from '../../children/child.js';
import type { ChildLimits } from '../../children/child-limits.js';
import { childScript } from '../../children/child-script.js';
import { watchMemory } from '../../children/memory-watchdog.js';
import { untilReady } from '../../children/until-ready.js';
import { BufferPool } from './buffer-pool.js';
import { PipeStream } from './pipe-stream.js';
import { ReaderLostError, ReadFailedError, ReadTooHeavyError } from './reader.errors.js';
import type { CopyStatement, FromReadChild, Lane, ToReadChild } from './reader-messages.js';

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
  /** Longest time that a read may stand still. */
  readonly stallMs: number;
}

/** Reads of one lane that one child does at the same time. */
const READS_PER_LANE = 12;
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

interface Read {
  readonly stream: PipeStream;
  readonly started: () => void;
  readonly fail: (error: Error) => void;
  readonly finish: () => void;
}

/** A long-lived process that reads results for the server: text comes back through named pipes into which its engine writes. */
export class ReadChild {
  private readonly reads = new Map<number, Read>();
  private readonly freePipes: Record<Lane, string[]>;
  private lastId = 0;
  /** Streams that buffer {@link READ_AHEAD_BYTES}. */
  private readAheads = 0;
  /** Settles when the process and its folder are gone. */
  readonly exited: Promise<ChildExit>;

  private constructor(
    private readonly child: Child<ToReadChild, FromReadChild>,
    private readonly onFreed: () => void,
    private readonly options: ReadChildOptions,
  ) {
    this.freePipes = { page: pipePaths(options.folder, 'page'), whole: pipePaths(options.folder, 'whole') };
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

  /** Starts a child and waits until it can read. `onFreed` is called whenever a read has ended. */
  static async start(options: ReadChildOptions, limits: ChildLimits, onFreed: () => void): Promise<ReadChild> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const pipes = (['page', 'whole'] as const).flatMap((lane) => pipePaths(options.folder, lane));
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

  hasRoom(lane: Lane): boolean {
    return !this.child.hasExited && this.freePipes[lane].length > 0;
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
  copy(lane: Lane, statement: CopyStatement): Promise<PipeStream> {
    const pipe = this.freePipes[lane].pop();
    if (pipe === undefined) throw new Error('The read child has no room');
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      const stream = new PipeStream(pipe, buffers, this.takeBuffer(lane), this.options.stallMs, () =>
        this.interrupt(id),
      );
      if (stream.readableHighWaterMark === READ_AHEAD_BYTES) stream.once('close', () => this.readAheads--);
      void stream.released.then(() => {
        this.freePipes[lane].push(pipe);
        this.onFreed();
      });
      const finish = () => this.reads.delete(id);
      const fail = (error: Error) => {
        finish();
        stream.fail(error);
        reject(error);
      };
      this.reads.set(id, { stream, started: () => resolve(stream), fail, finish });
      this.child.send({ kind: 'copy', id, lane, statement, pipe });
    });
  }

  /** Ends the process at once. */
  kill(): void {
    this.child.kill();
  }

  /** An ordinary page fits into its buffer whole, so that a slow client holds up neither the engine nor the next page. */
  private takeBuffer(lane: Lane): number {
    if (lane === 'whole' || this.readAheads === MAX_READ_AHEADS) return BUFFER_BYTES;
    this.readAheads += 1;
    return READ_AHEAD_BYTES;
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

function pipePaths(folder: string, lane: Lane): string[] {
  return Array.from({ length: READS_PER_LANE }, (_, index) => join(folder, `${lane}-${index}`));
}
