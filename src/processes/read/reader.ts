import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ulid } from 'ulid';
import { Config } from '../../config/config.js';
import { trustedBudgetBytes } from '../../config/memory-law.js';
import { backoffMs } from '../pool/backoff.js';
import { FairQueue } from './fair-queue.js';
import { HeldFiles } from './held-files.js';
import type { PipeStream } from './pipe-stream.js';
import { ReadChild } from './read-child.js';
import type { ReadJob } from './read-job.js';
import { ClientGoneError, ReaderClosedError, ReaderLostError } from './reader.errors.js';
import type { CopyStatement, PriorityClass } from './reader-messages.js';
import type { ReadingClient } from './reading-client.js';
import { WaitingRead } from './waiting-read.js';

/**
 * An account holds at most a third of the slots for pages, and half of those for whole results.
 * Pages keep the processors busy, so that others' become slower with each; whole results mostly
 * wait for their clients.
 */
const FREE_PER_HELD: Readonly<Record<PriorityClass, number>> = { interactive: 2, bulk: 1 };

/** A file, and the statement that reads it under the name that it is kept by. */
interface HeldSource {
  readonly path: string;
  readonly toStatement: (heldPath: string) => CopyStatement;
}

/**
 * Reads stored results in processes of their own, which are replaced when they die. Their slots are
 * shared between accounts: see {@link FairQueue}.
 */
@Injectable()
export class Reader implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Reader.name);
  private readonly children = new Set<ReadChild>();
  private readonly starting = new Set<Promise<void>>();
  private readonly queues: Readonly<Record<PriorityClass, FairQueue<WaitingRead>>> = {
    interactive: new FairQueue(FREE_PER_HELD.interactive),
    bulk: new FairQueue(FREE_PER_HELD.bulk),
  };
  private readonly folder: string;
  private readonly heldFiles: HeldFiles;
  private isClosed = false;
  private failures = 0;

  constructor(private readonly config: Config) {
    this.folder = resolve(config.DATA_DIR, 'readers');
    this.heldFiles = new HeldFiles(join(this.folder, 'held'));
  }

  async onApplicationBootstrap(): Promise<void> {
    // What a crash left behind; nobody else has the data folder.
    await rm(this.folder, { recursive: true, force: true });
    await Promise.all(Array.from({ length: this.config.READERS }, () => this.startChild()));
  }

  /** After the connections: requests in flight still read. */
  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    for (const queue of Object.values(this.queues)) {
      for (const read of queue.clear()) read.end(new ReaderClosedError());
    }
    await Promise.allSettled(this.starting);
    const children = [...this.children];
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => child.exited));
    await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * Runs a statement and gives its text to `begin`, which takes what it needs before the answer can start. If the reading process dies
   * until then, the read is tried once more in another.
   *
   * @throws ReadersBusyError if no slot becomes free within `READ_QUEUE_TIMEOUT`; ClientGoneError
   */
  async read<T>(job: ReadJob, begin: (text: PipeStream) => Promise<T>): Promise<T> {
    try {
      return await this.readOnce(job, begin);
    } catch (error) {
      if (!(error instanceof ReaderLostError)) throw error;
      return await this.readOnce(job, begin);
    }
  }

  /** Like {@link read}, from a file that is kept until its text has ended, whatever becomes of it elsewhere. */
  async readHeld(
    { path, toStatement, ...job }: Omit<ReadJob, 'statement'> & HeldSource,
    begin: (text: PipeStream) => Promise<void>,
  ): Promise<PipeStream> {
    const held = await this.heldFiles.hold(path);
    try {
      const text = await this.read({ ...job, statement: toStatement(held.path) }, async (stream) => {
        await begin(stream);
        return stream;
      });
      text.once('close', () => void held.release());
      return text;
    } catch (error) {
      await held.release();
      throw error;
    }
  }

  private async readOnce<T>(job: ReadJob, begin: (text: PipeStream) => Promise<T>): Promise<T> {
    if (this.isClosed) throw new ReaderClosedError();
    if (job.client.gone.aborted) throw new ClientGoneError();
    const read = new WaitingRead(job, this.config.READ_QUEUE_TIMEOUT, () => this.queues[job.priority].remove(read));
    this.queues[job.priority].enqueue(read);
    this.startReads(job.priority);
    const text = await read.text;
    destroyWhenGone(text, job.client);
    return await begin(text);
  }

  /** Starts what may start, each in the child with the fewest reads. */
  private startReads(priority: PriorityClass): void {
    for (;;) {
      const children = [...this.children].filter((child) => child.freeSlots(priority) > 0);
      const [child] = children.sort((a, b) => a.load - b.load);
      if (!child) return;
      const freeSlots = children.reduce((sum, one) => sum + one.freeSlots(priority), 0);
      const read = this.queues[priority].dequeue(freeSlots);
      if (!read) return;
      read.start(child);
    }
  }

  private startChild(): Promise<void> {
    const starting = this.addChild().finally(() => this.starting.delete(starting));
    this.starting.add(starting);
    return starting;
  }

  private async addChild(): Promise<void> {
    const { DATA_DIR, READER_MEMORY, READER_THREADS, READ_TIMEOUT } = this.config;
    const budgetBytes = trustedBudgetBytes(READER_MEMORY);
    const options = {
      folder: join(this.folder, ulid()),
      resultFolders: [resolve(DATA_DIR, 'results'), join(this.folder, 'held')],
      memoryBytes: READER_MEMORY,
      maxResidentBytes: budgetBytes,
      threads: READER_THREADS,
      stallMs: READ_TIMEOUT,
    };
    const limits = { heapMegabytes: 128, niceness: 0, openFiles: 4_096 };
    const child = await ReadChild.start(options, limits, (priority, accountId) => {
      this.queues[priority].release(accountId);
      this.startReads(priority);
    });
    this.failures = 0;
    this.children.add(child);
    void child.exited.then(({ code, signal }) => this.replace(child, { code, signal }));
    for (const priority of ['interactive', 'bulk'] as const) this.startReads(priority);
  }

  private replace(child: ReadChild, exit: object): void {
    this.children.delete(child);
    if (this.isClosed) return;
    this.logger.error({ ...exit }, 'A reading process died and is replaced');
    this.startLater();
  }

  private startLater(): void {
    const delayMs = this.failures === 0 ? 0 : backoffMs(this.failures);
    this.failures += 1;
    setTimeout(() => {
      if (this.isClosed) return;
      this.startChild().catch((error: unknown) => {
        this.logger.error({ err: error }, 'A reading process could not be started');
        this.startLater();
      });
    }, delayMs).unref();
  }
}

/**
 * The rows of an answer are of no use to a client that is gone, and neither are those that are
 * still being looked for.
 */
function destroyWhenGone(text: PipeStream, { gone }: ReadingClient): void {
  const destroy = () => text.destroy(new ClientGoneError());
  if (gone.aborted) return void destroy();
  gone.addEventListener('abort', destroy);
  text.once('close', () => gone.removeEventListener('abort', destroy));
}
