import { backoffMs } from './backoff.js';
import type { Child } from './child.js';
import { untilReady } from './until-ready.js';

/** How many children to keep waiting, and how to start one. Its first message means that it is ready. */
export interface SpawnAheadOptions<Sent extends object, Received> {
  readonly count: number;
  readonly spawn: () => Child<Sent, Received>;
  /** How long a child may take to become ready. */
  readonly readyTimeoutMs: number;
}

interface Waiter<C> {
  readonly resolve: (child: C) => void;
  readonly reject: (error: unknown) => void;
}

/** How long after a taken child has ended another is started, and how long at most after it was taken. */
const REFILL_AFTER_END_MS = 100;
const REFILL_AT_LAST_MS = 1_000;

/**
 * Keeps children waiting, ready for work, and hands each out once: the taker owns it, and another is started in its
 * place. After failures to start it waits before the next attempt, longer each time.
 */
export class SpawnAhead<Sent extends object, Received> {
  readonly #starting = new Set<Child<Sent, Received>>();
  readonly #ready = new Set<Child<Sent, Received>>();
  readonly #waiters: Waiter<Child<Sent, Received>>[] = [];
  #failures = 0;
  #retryTimer: NodeJS.Timeout | undefined;
  readonly #refillTimers = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(private readonly options: SpawnAheadOptions<Sent, Received>) {
    this.#fill();
  }

  /**
   * Hands out a ready child, or the next one that becomes ready.
   *
   * @throws ChildNotReadyError if children fail to start.
   */
  take(): Promise<Child<Sent, Received>> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Error('The children are closed'));
      this.#waiters.push({ resolve, reject });
      this.#handOut();
      if (this.#waiters.length > 0) this.#fill();
    });
  }

  /** Ends the children that nobody took, and waits until they are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    for (const timer of this.#refillTimers) clearTimeout(timer);
    this.#rejectWaiters(new Error('The children are closed'));
    const children = [...this.#starting, ...this.#ready];
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => child.exited));
  }

  /** The child that was taken gets the processors for itself: a short run is over before the next child starts. */
  #refillAfter(taken: Child<Sent, Received>): void {
    this.#fillIn(REFILL_AT_LAST_MS);
    void taken.exited.then(() => this.#fillIn(REFILL_AFTER_END_MS));
  }

  #fillIn(delayMs: number): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#refillTimers.delete(timer);
      this.#fill();
    }, delayMs).unref();
    this.#refillTimers.add(timer);
  }

  #fill(): void {
    if (this.#isClosed || this.#retryTimer) return;
    const missing = this.options.count + this.#waiters.length - this.#ready.size - this.#starting.size;
    for (let started = 0; started < missing; started++) void this.#start();
  }

  async #start(): Promise<void> {
    const child = this.options.spawn();
    this.#starting.add(child);
    try {
      await untilReady(child, this.options.readyTimeoutMs);
      this.#failures = 0;
      this.#ready.add(child);
      void child.exited.then(() => this.#replaceDead(child));
    } catch (error) {
      this.#failures++;
      this.#rejectWaiters(error);
      this.#retryLater();
    } finally {
      this.#starting.delete(child);
    }
    this.#handOut();
  }

  #handOut(): void {
    while (this.#waiters.length > 0) {
      const [child] = this.#ready;
      if (!child) return;
      this.#ready.delete(child);
      if (child.hasExited) continue;
      this.#refillAfter(child);
      this.#waiters.shift()?.resolve(child);
    }
  }

  /** A child that ended while it waited counts as a failure, so that children that keep dying are not started without pause. */
  #replaceDead(child: Child<Sent, Received>): void {
    if (!this.#ready.delete(child)) return;
    this.#failures++;
    this.#retryLater();
  }

  #retryLater(): void {
    if (this.#isClosed || this.#retryTimer) return;
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined;
      this.#fill();
    }, backoffMs(this.#failures));
    this.#retryTimer.unref();
  }

  #rejectWaiters(error: unknown): void {
    for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
  }
}
