import { AsyncResource } from 'node:async_hooks';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { failpoint } from '../../config/failpoint.js';
import { childBudgetBytes } from '../../config/memory-budget.js';
import { publish } from '../../telemetry/events.js';
import type { Child } from '../pool/child.js';
import { childScript } from '../pool/child-script.js';
import { type Lease, ProcessPool } from '../pool/process-pool.js';
import { PoolBusyError } from '../pool/waiting-request.js';
import { PinnedFiles } from './pinned-files.js';
import type { PipeStream } from './pipe-stream.js';
import { createPipes, ReadChild, SLOTS_PER_CLASS } from './read-child.js';
import type { ReadJob } from './read-job.js';
import { ClientGoneError, ReaderDiedError, ReadersBusyError } from './reader.errors.js';
import type { CopyStatement, FromReadChild, PriorityClass, ToReadChild } from './reader-messages.js';
import type { ReadingClient } from './reading-client.js';

/**
 * An account uses at most a third of the slots for pages, and half of those for whole results.
 * Pages keep the processors busy, so that others' become slower with each; whole results mostly
 * wait for their clients.
 */
const SLOTS = {
  interactive: { perChild: SLOTS_PER_CLASS, freePerUsed: 2 },
  bulk: { perChild: SLOTS_PER_CLASS, freePerUsed: 1 },
} satisfies Record<PriorityClass, object>;

/** A file, and the statement that reads it under the name by which it is pinned. */
interface PinnedSource {
  readonly path: string;
  readonly toStatement: (pinnedPath: string) => CopyStatement;
}

/** Reads stored results in processes of their own, whose slots are shared between accounts. */
@Injectable()
export class Reader implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #folder: string;
  readonly #pool: ProcessPool<ToReadChild, FromReadChild>;
  readonly #children = new WeakMap<Child<ToReadChild, FromReadChild>, ReadChild>();
  readonly #pinnedFiles: PinnedFiles;

  constructor(private readonly config: Config) {
    const { DATA_DIR, READERS, READER_MEMORY, READER_THREADS } = config;
    this.#folder = resolve(DATA_DIR, 'readers');
    const pinnedFolder = join(this.#folder, 'pinned');
    this.#pinnedFiles = new PinnedFiles(pinnedFolder);
    const resultFolders = [resolve(DATA_DIR, 'results'), pinnedFolder];
    const engine = { resultFolders, memoryBytes: READER_MEMORY, threads: READER_THREADS };
    const residentBytes = childBudgetBytes('read', READER_MEMORY);
    this.#pool = new ProcessPool({
      script: childScript('read'),
      folder: this.#folder,
      ownsFolder: true,
      prepare: createPipes,
      limits: { heapMegabytes: 128, niceness: 0, openFiles: 4_096, residentBytes },
      // Each query in flight blocks one thread of libuv.
      environment: { UV_THREADPOOL_SIZE: String(2 * SLOTS_PER_CLASS + 4) },
      firstMessage: (pipesFolder) => ({ kind: 'open', options: { ...engine, pipesFolder } }),
      min: READERS,
      max: READERS,
      maxUse: Number.POSITIVE_INFINITY,
      slots: SLOTS,
      waitsForStart: true,
      readyTimeoutMs: 30_000,
    });
  }

  /** Whether no process that reads can be started. */
  get isFailing(): boolean {
    return this.#pool.isFailing;
  }

  async onApplicationBootstrap(): Promise<void> {
    // What a crash left behind; no other process uses the data folder.
    await rm(this.#folder, { recursive: true, force: true });
    await this.#pool.open();
  }

  /** After the connections: requests in flight still read. */
  async onApplicationShutdown(): Promise<void> {
    await this.#pool.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /**
   * Runs a statement and passes its text to `begin`, which reads what the answer needs to start. If
   * the process dies before that, the read is tried once more in another.
   *
   * @throws ReadersBusyError if no slot becomes free within `READ_QUEUE_TIMEOUT`; ClientGoneError
   */
  async read<T>(job: ReadJob, begin: (text: PipeStream) => Promise<T>): Promise<T> {
    try {
      return await this.#readOnce(job, begin);
    } catch (error) {
      if (!(error instanceof ReaderDiedError)) throw error;
      return await this.#readOnce(job, begin);
    }
  }

  /** Like {@link read}, from a file that is pinned until its text has ended. */
  async readPinned(
    { path, toStatement, ...job }: Omit<ReadJob, 'statement'> & PinnedSource,
    begin: (text: PipeStream) => Promise<void>,
  ): Promise<PipeStream> {
    const pinned = await this.#pinnedFiles.pin(path);
    try {
      const text = await this.read({ ...job, statement: toStatement(pinned.path) }, async (stream) => {
        await begin(stream);
        return stream;
      });
      text.once('close', () => void pinned.release());
      return text;
    } catch (error) {
      await pinned.release();
      throw error;
    }
  }

  async #readOnce<T>(job: ReadJob, begin: (text: PipeStream) => Promise<T>): Promise<T> {
    await failpoint('result-read');
    const { child, release } = await this.#acquire(job);
    const readChild = this.#children.get(child) ?? new ReadChild(child, this.config.READ_TIMEOUT);
    this.#children.set(child, readChild);
    const begunAt = performance.now();
    const text = await readChild.copy(job, () => void release());
    text.once(
      'close',
      AsyncResource.bind(() => publishEnd(job, begunAt)),
    );
    destroyWhenGone(text, job.client);
    return await begin(text);
  }

  async #acquire({ priority, client }: ReadJob): Promise<Lease<ToReadChild, FromReadChild>> {
    const maxWaitMs = this.config.READ_QUEUE_TIMEOUT;
    const { accountId, gone } = client;
    try {
      return await this.#pool.acquire({ slotClass: priority, accountId, signal: gone, maxWaitMs });
    } catch (error) {
      if (gone.aborted) throw new ClientGoneError();
      throw error instanceof PoolBusyError ? new ReadersBusyError(maxWaitMs) : error;
    }
  }
}

function publishEnd({ priority }: ReadJob, begunAt: number): void {
  publish('read-ended', { kind: priority, elapsedMs: performance.now() - begunAt });
}

/**
 * The rows of an answer are of no use to a client that is gone, and neither are those that are
 * still being searched for.
 */
function destroyWhenGone(text: PipeStream, { gone }: ReadingClient): void {
  const destroy = () => text.destroy(new ClientGoneError());
  if (gone.aborted) return void destroy();
  gone.addEventListener('abort', destroy);
  text.once('close', () => gone.removeEventListener('abort', destroy));
}
