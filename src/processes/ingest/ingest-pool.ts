import { RefusedContentError } from './ingest.errors.js';
import type { IngestChild } from './ingest-child.js';

/**
 * A child that has read more than this is replaced once nobody needs it, so that the memory that its engine holds on to comes back, and at
 * the latest when it has read so much more.
 */
const RECYCLE_BYTES = 32_000_000;
const MAX_READ_BYTES = 4_000_000_000;
/** A large insert comes back for more within moments. */
const RECYCLE_AFTER_MS = 500;

interface Waiter {
  readonly resolve: (child: IngestChild) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Ingest children, up to a number, each at one job at a time; what finds none free waits, first come, first served. They are started when
 * they are needed: a service that is only read keeps none.
 */
export class IngestPool {
  readonly #children = new Set<IngestChild>();
  readonly #idle = new Set<IngestChild>();
  readonly #readBytes = new WeakMap<IngestChild, number>();
  readonly #waiters: Waiter[] = [];
  readonly #starting = new Set<Promise<void>>();
  #isClosed = false;

  constructor(
    private readonly size: number,
    private readonly start: () => Promise<IngestChild>,
  ) {}

  /** Starts a child if there is none, as a job is about to come. */
  wake(): void {
    if (!this.#isClosed && this.#children.size + this.#starting.size === 0) this.#add();
  }

  /** Refuses who waits, ends the children, and waits until they are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiters.splice(0)) reject(new Error('The service is stopping'));
    await Promise.all(this.#starting);
    await Promise.all([...this.#children].map((child) => child.kill()));
  }

  /**
   * Lends a child to a job. When this settles, nothing of the job is left at work.
   *
   * @param sizeBytes how much the job reads.
   */
  async use<T>(sizeBytes: number, job: (child: IngestChild) => Promise<T>): Promise<T> {
    const child = await this.#take();
    const readBytes = (this.#readBytes.get(child) ?? 0) + sizeBytes;
    this.#readBytes.set(child, readBytes);
    let isReusable = readBytes <= MAX_READ_BYTES;
    try {
      return await job(child);
    } catch (error) {
      isReusable &&= error instanceof RefusedContentError;
      throw error;
    } finally {
      if (!isReusable) await child.kill();
      else {
        this.#release(child);
        if (readBytes > RECYCLE_BYTES) this.#recycleWhenIdle(child, readBytes);
      }
    }
  }

  #recycleWhenIdle(child: IngestChild, readBytes: number): void {
    setTimeout(() => {
      const isUnused = this.#idle.has(child) && this.#readBytes.get(child) === readBytes;
      if (!isUnused) return;
      this.#idle.delete(child);
      void child.kill();
    }, RECYCLE_AFTER_MS).unref();
  }

  #take(): Promise<IngestChild> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Error('The service is stopping'));
      this.#waiters.push({ resolve, reject });
      this.#serveWaiters();
    });
  }

  #release(child: IngestChild): void {
    if (!this.#children.has(child)) return;
    this.#idle.add(child);
    this.#serveWaiters();
  }

  /** Who finds no child free gets a new one, if there may be another. */
  #serveWaiters(): void {
    for (const child of this.#idle) {
      if (child.hasExited) continue;
      const waiter = this.#waiters.shift();
      if (!waiter) return;
      this.#idle.delete(child);
      waiter.resolve(child);
    }
    const wanted = Math.min(this.#waiters.length, this.size - this.#children.size) - this.#starting.size;
    for (let added = 0; added < wanted; added++) this.#add();
  }

  #add(): void {
    const adding = this.#startOne()
      // Who has waited longest learns why; for the next there is another attempt.
      .catch((error: unknown) => this.#waiters.shift()?.reject(error))
      .then(() => {
        this.#starting.delete(adding);
        this.#serveWaiters();
      });
    this.#starting.add(adding);
  }

  async #startOne(): Promise<void> {
    const child = await this.start();
    this.#children.add(child);
    void child.exited.then(() => {
      this.#children.delete(child);
      this.#idle.delete(child);
      this.#serveWaiters();
    });
    this.#idle.add(child);
  }
}
