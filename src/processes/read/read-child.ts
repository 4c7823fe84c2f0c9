import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Logger } from '@nestjs/common';
import type { Child } from '../pool/child.js';
import { describeExit } from '../pool/child-exit.js';
import { FairShare } from '../pool/fair-share.js';
import { interruptUntilSettled } from '../pool/interrupt-until-settled.js';
import { BufferPool } from './buffer-pool.js';
import { PipeStream } from './pipe-stream.js';
import type { ReadJob } from './read-job.js';
import { ReaderDiedError, ReadFailedError, ReadTooHeavyError } from './reader.errors.js';
import type { FromReadChild, PriorityClass, ToReadChild } from './reader-messages.js';

/** Reads of one priority class that one child does at the same time. Each has a pipe of its own. */
export const SLOTS_PER_CLASS = 12;
const BUFFER_BYTES = 256 * 2 ** 10;
/**
 * Pages are read from the engine as fast as it writes, up to so many bytes of so many pages, so
 * that slow clients do not delay it.
 */
const READ_AHEAD_BYTES = 8 * 2 ** 20;
const MAX_READ_AHEADS = 32;
/** An engine that does not stop for so long is killed with its process. */
const INTERRUPT_PATIENCE_MS = 5_000;

/** One pool for all reads of the process. */
const buffers = new BufferPool();

interface Read {
  readonly stream: PipeStream;
  readonly start: () => void;
  readonly finish: () => void;
  readonly fail: (error: Error) => void;
}

/**
 * The reads of one child process. Their texts arrive through named pipes, into which the engine
 * writes.
 */
export class ReadChild {
  readonly #logger = new Logger(ReadChild.name);
  readonly #reads = new Map<number, Read>();
  readonly #freePipes: Record<PriorityClass, string[]>;
  #lastId = 0;
  /** Streams that may still buffer {@link READ_AHEAD_BYTES}. */
  #freeReadAheads = MAX_READ_AHEADS;
  readonly #readAheads = new FairShare(1);

  /** @param stallMs longest time that the engine may take for the next bytes of a read. */
  constructor(
    private readonly child: Child<ToReadChild, FromReadChild>,
    private readonly stallMs: number,
  ) {
    const { folder } = child;
    this.#freePipes = { interactive: pipePaths(folder, 'interactive'), bulk: pipePaths(folder, 'bulk') };
    child.onMessage((message) => this.#receive(message));
    void child.exited.then((exit) => {
      if (this.#reads.size > 0) this.#logger.error({ exit: describeExit(exit) }, 'A read process died');
      for (const read of [...this.#reads.values()]) read.fail(new ReaderDiedError());
    });
  }

  /**
   * Runs a statement and returns its text once the engine has accepted it.
   *
   * @param release called when the pipe is free for another read of the class.
   * @throws ReadFailedError, ReadTooHeavyError, ReaderDiedError; the stream is destroyed with the
   *   same.
   */
  copy(job: ReadJob, release: () => void): Promise<PipeStream> {
    const { priority, statement } = job;
    const pipe = this.#freePipes[priority].pop();
    if (pipe === undefined) throw new Error('The read child has no free pipe');
    const free = () => {
      this.#freePipes[priority].push(pipe);
      release();
    };
    const id = ++this.#lastId;
    const settled = Promise.withResolvers<void>();
    const started = Promise.withResolvers<PipeStream>();
    let stream: PipeStream;
    try {
      stream = this.#openStream(job, pipe, () => this.#interrupt(id, settled.promise));
    } catch (error) {
      free();
      throw error;
    }
    void stream.released.then(free);
    const finish = () => {
      this.#reads.delete(id);
      settled.resolve();
    };
    const fail = (error: Error) => {
      finish();
      stream.fail(error);
      started.reject(error);
    };
    this.#reads.set(id, { stream, start: () => started.resolve(stream), finish, fail });
    this.child.send({ kind: 'copy', id, priority, statement, pipe });
    return started.promise;
  }

  /**
   * An ordinary page fits into its buffer, so that a slow client delays neither the engine nor the
   * next page.
   */
  #openStream({ priority, client: { accountId } }: ReadJob, pipe: string, onAbandoned: () => void): PipeStream {
    const isReadAhead = priority === 'interactive' && this.#readAheads.mayTake(accountId, this.#freeReadAheads);
    const bufferBytes = isReadAhead ? READ_AHEAD_BYTES : BUFFER_BYTES;
    const stream = new PipeStream(pipe, buffers, bufferBytes, this.stallMs, onAbandoned);
    if (!isReadAhead) return stream;
    this.#freeReadAheads -= 1;
    this.#readAheads.take(accountId);
    stream.once('close', () => {
      this.#freeReadAheads += 1;
      this.#readAheads.release(accountId);
    });
    return stream;
  }

  #receive(message: FromReadChild): void {
    const read = message.kind === 'ready' ? undefined : this.#reads.get(message.id);
    if (!read) return;
    if (message.kind === 'started') read.start();
    if (message.kind === 'failed') read.fail(new ReadFailedError(message.message));
    if (message.kind === 'out-of-memory') read.fail(new ReadTooHeavyError());
    if (message.kind === 'done') {
      read.stream.succeed();
      read.finish();
    }
  }

  #interrupt(id: number, settled: Promise<void>): void {
    const lastResort = { afterMs: INTERRUPT_PATIENCE_MS, kill: () => this.child.kill() };
    void interruptUntilSettled(settled, () => this.child.send({ kind: 'interrupt', id }), lastResort);
  }
}

/** Creates the named pipes of a child in its folder. */
export async function createPipes(folder: string): Promise<void> {
  const pipes = (['interactive', 'bulk'] as const).flatMap((priority) => pipePaths(folder, priority));
  await promisify(execFile)('mkfifo', ['-m', '600', ...pipes]);
}

function pipePaths(folder: string, priority: PriorityClass): string[] {
  return Array.from({ length: SLOTS_PER_CLASS }, (_, index) => join(folder, `${priority}-${index}`));
}
