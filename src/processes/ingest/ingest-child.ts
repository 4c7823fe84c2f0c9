import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskFullError } from '../../http/disk-full.error.js';
import { type Child, type ChildExit, spawnChild } from '../pool/child.js';
import { describeExit } from '../pool/child-not-ready.js';
import { childScript } from '../pool/child-script.js';
import { watchMemory } from '../pool/memory-watchdog.js';
import { untilReady } from '../pool/until-ready.js';
import { toRefusal, UploadTooHeavyError } from './ingest.errors.js';
import type { FromIngestChild, IngestJob, IngestOutcome, ToIngestChild } from './ingest-messages.js';

/** What one ingest child may use. */
export interface IngestLimits {
  /** Memory that the engine may plan with. */
  readonly memoryBytes: number;
  /** The child is killed when it holds more than this. */
  readonly maxResidentBytes: number;
  readonly threads: number;
  /** Disk that one job may use beside the file that it writes. */
  readonly maxSpillBytes: number;
  /** Longest time that one job may take. */
  readonly timeoutMs: number;
}

const READY_TIMEOUT_MS = 30_000;
/**
 * Node reserves some 600 MB that it never touches, and the engine's allocator keeps the addresses of what it has given back: up to 2 GB for
 * tables of 2,000 columns. The rest is for what grows between two looks of the watchdog.
 */
const DATA_HEADROOM_BYTES = 3 * 2 ** 30;

/**
 * How the allocators of the process keep memory. The engine's gives back within a second what is free, so that every piece of a text would
 * touch new pages: 700 MB of them in an insert of 1 GB (`docs/performance.md`). The process ends with its text, and what it holds is watched.
 */
const ALLOCATORS = {
  // Of the engine's buffers (jemalloc): what one thread gave back the next one takes, and it is kept for seconds.
  DUCKDB_JE_MALLOC_CONF: 'narenas:1,dirty_decay_ms:10000,muzzy_decay_ms:10000',
  // Of all else (glibc): likewise, and it grows by more than a page at a time.
  MALLOC_ARENA_MAX: '2',
  MALLOC_TOP_PAD_: String(2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(2 ** 30),
  MALLOC_MMAP_THRESHOLD_: String(2 ** 25),
};

/** A process that does ingest jobs, one at a time. After a job that did not end well it is gone. */
export class IngestChild {
  /** Settles when the process and its folder are gone. */
  readonly exited: Promise<ChildExit>;
  #isOverMemory = false;

  private constructor(
    private readonly child: Child<ToIngestChild, FromIngestChild>,
    private readonly limits: IngestLimits,
    folder: string,
  ) {
    const stopWatching = watchMemory(child.pid ?? 0, limits.maxResidentBytes, () => {
      this.#isOverMemory = true;
      child.kill();
    });
    this.exited = child.exited.then(async (exit) => {
      stopWatching();
      await rm(folder, { recursive: true, force: true });
      return exit;
    });
  }

  /**
   * Starts a child and waits until it can work.
   *
   * @param folder private to the child: created here, removed when it is gone.
   * @param readable folders whose files it may open.
   */
  static async start(folder: string, readable: readonly string[], limits: IngestLimits): Promise<IngestChild> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { memoryBytes, maxResidentBytes, threads, maxSpillBytes } = limits;
    const child = spawnChild<ToIngestChild, FromIngestChild>({
      script: childScript('ingest'),
      folder,
      limits: { heapMegabytes: 256, niceness: 5, openFiles: 4_096, dataBytes: maxResidentBytes + DATA_HEADROOM_BYTES },
      environment: ALLOCATORS,
    });
    const ingestChild = new IngestChild(child, limits, folder);
    const options = { folders: readable, spillFolder: join(folder, 'spill'), memoryBytes, threads, maxSpillBytes };
    child.send({ kind: 'open', options });
    await untilReady(child, READY_TIMEOUT_MS);
    return ingestChild;
  }

  /** Whether the process is gone; what it leaves may take a moment more. */
  get hasExited(): boolean {
    return this.child.hasExited;
  }

  /** Ends the process at once. */
  async kill(): Promise<void> {
    this.child.kill();
    await this.exited;
  }

  /**
   * Does a job; gives one outcome for each part that it writes. The child is killed when that takes too long, or when `signal` aborts it.
   *
   * @throws RefusedContentError, UploadTooHeavyError, DiskFullError, the signal's reason; an ordinary Error if the process died or failed by itself.
   */
  async run(job: IngestJob, signal?: AbortSignal): Promise<readonly IngestOutcome[]> {
    const timeout = AbortSignal.timeout(this.limits.timeoutMs);
    const stop = AbortSignal.any(signal ? [signal, timeout] : [timeout]);
    const kill = () => this.child.kill();
    stop.addEventListener('abort', kill, { once: true });
    let stopListening = () => {};
    const answer = new Promise<FromIngestChild>((resolve) => {
      stopListening = this.child.onMessage(resolve);
    });
    try {
      signal?.throwIfAborted();
      this.child.send({ kind: 'job', job });
      const end = await Promise.race([answer, this.exited]);
      signal?.throwIfAborted();
      if (timeout.aborted) throw new UploadTooHeavyError('time');
      return this.#toOutcomes(end);
    } finally {
      stop.removeEventListener('abort', kill);
      stopListening();
    }
  }

  #toOutcomes(end: FromIngestChild | ChildExit): readonly IngestOutcome[] {
    if (this.#isOverMemory) throw new UploadTooHeavyError('memory');
    if (!('kind' in end)) throw new Error(`The ingest process died: ${describeExit(end)}`);
    switch (end.kind) {
      case 'done':
        return end.outcomes;
      case 'refused':
        throw toRefusal(end.fault.code, end.fault.message, end.fault.details);
      case 'out-of-memory':
        throw new UploadTooHeavyError('memory');
      case 'disk-full':
        throw new DiskFullError();
      case 'failed':
        throw new Error(`The ingest process failed: ${end.message}`);
      case 'ready':
        throw new Error('The ingest process was not ready');
    }
  }
}
