import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ulid } from 'ulid';
import { backoffMs } from '../../children/backoff.js';
import { Config } from '../../config/config.js';
import { trustedBudgetBytes } from '../../config/memory-law.js';
import { HeldFiles } from './held-files.js';
import type { PipeStream } from './pipe-stream.js';
import { ReadChild } from './read-child.js';
import { ReaderClosedError, ReaderLostError } from './reader.errors.js';
import type { CopyStatement, Lane } from './reader-messages.js';

interface Waiter {
  readonly lane: Lane;
  readonly start: (child: ReadChild) => void;
  readonly refuse: (error: Error) => void;
}

/** Reads stored results in processes of their own, which are replaced when they die. */
@Injectable()
export class Reader implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Reader.name);
  private readonly children = new Set<ReadChild>();
  private readonly starting = new Set<Promise<void>>();
  private readonly waiters: Waiter[] = [];
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
    for (const waiter of this.waiters.splice(0)) waiter.refuse(new ReaderClosedError());
    await Promise.allSettled(this.starting);
    const children = [...this.children];
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => child.exited));
    await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * Runs a statement and gives its text to `begin`, which takes what it needs before the answer can start. If the reading process dies
   * until then, the read is tried once more in another.
   */
  async read<T>(lane: Lane, statement: CopyStatement, begin: (text: PipeStream) => Promise<T>): Promise<T> {
    try {
      return await this.readOnce(lane, statement, begin);
    } catch (error) {
      if (!(error instanceof ReaderLostError)) throw error;
      return await this.readOnce(lane, statement, begin);
    }
  }

  /** Like {@link read}, from a file that is kept until its text has ended, whatever becomes of it elsewhere. */
  async readHeld(
    lane: Lane,
    path: string,
    toStatement: (heldPath: string) => CopyStatement,
    begin: (text: PipeStream) => Promise<void>,
  ): Promise<PipeStream> {
    const held = await this.heldFiles.hold(path);
    try {
      const text = await this.read(lane, toStatement(held.path), async (stream) => {
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

  private async readOnce<T>(lane: Lane, statement: CopyStatement, begin: (text: PipeStream) => Promise<T>): Promise<T> {
    const text = await new Promise<PipeStream>((resolve, refuse) => {
      if (this.isClosed) return refuse(new ReaderClosedError());
      const start = (child: ReadChild) => void child.copy(lane, statement).then(resolve, refuse);
      this.waiters.push({ lane, start, refuse });
      this.serveWaiters();
    });
    return await begin(text);
  }

  /** First come, first served within a lane; the child with the fewest reads is taken. */
  private serveWaiters(): void {
    for (const waiter of [...this.waiters]) {
      const [child] = [...this.children].filter((one) => one.hasRoom(waiter.lane)).sort((a, b) => a.load - b.load);
      if (!child) continue;
      this.waiters.splice(this.waiters.indexOf(waiter), 1);
      waiter.start(child);
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
    const child = await ReadChild.start(options, limits, () => this.serveWaiters());
    this.failures = 0;
    this.children.add(child);
    void child.exited.then(({ code, signal }) => this.replace(child, { code, signal }));
    this.serveWaiters();
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
