import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Logger } from '@nestjs/common';
import { ulid } from 'ulid';
import { publish } from '../../telemetry/events.js';
import { backoffMs } from './backoff.js';
import { type Child, type ChildOptions, spawnChild } from './child.js';
import { describeExit } from './child-exit.js';
import { FairQueue } from './fair-queue.js';
import { PoolMember } from './pool-member.js';
import { ONE_SLOT, type PoolPolicy } from './pool-policy.js';
import { PoolBusyError, type PoolRequest, WaitingRequest } from './waiting-request.js';

/**
 * How a pool starts and uses its children. `folder` is where they work; if `ownsFolder`, each has a
 * folder of its own in it.
 */
export interface PoolOptions<Sent> extends ChildOptions, PoolPolicy {
  /** Fills the folder of a child before its process starts. */
  readonly prepare?: (folder: string) => Promise<unknown>;
  /** What is sent to a child when it has started. */
  readonly firstMessage?: (folder: string) => Sent;
}

/** A child that serves a request, until it is released. */
export interface Lease<Sent extends object, Received> {
  readonly child: Child<Sent, Received>;
  /**
   * Ends the request. A child that serves no further one is killed; then this settles when it is
   * gone.
   *
   * @param isReusable false if the child may be in a bad state.
   */
  readonly release: (isReusable?: boolean) => Promise<void>;
}

/** The pool is closed: the service is stopping. */
export class PoolClosedError extends Error {
  constructor() {
    super('The service is stopping');
  }
}

type Waiting<Sent extends object, Received> = WaitingRequest<Lease<Sent, Received>>;

/** How long after its end a child is replaced, and how long at most after its last use began. */
const REFILL_AFTER_END_MS = 100;
const REFILL_AT_LAST_MS = 1_000;

/**
 * Child processes of one kind, ready for requests. The {@link PoolPolicy} states how many there
 * are, what each serves and when it is replaced. Requests that find no free slot wait in a {@link
 * FairQueue}, one for each slot class. After a failed start, and after a child died while it was
 * idle, the pool waits before the next start, longer each time.
 */
export class ProcessPool<Sent extends object, Received> {
  readonly #logger = new Logger(ProcessPool.name);
  /** The kind of children in metrics: the name of their script, such as `run`. */
  readonly #kind: string;
  readonly #slots: NonNullable<PoolPolicy['slots']>;
  readonly #queues: ReadonlyMap<string, FairQueue<Waiting<Sent, Received>>>;
  readonly #starts = new Set<Promise<void>>();
  readonly #unready = new Set<Child<Sent, Received>>();
  readonly #members = new Set<PoolMember<Sent, Received>>();
  readonly #refillTimers = new Set<NodeJS.Timeout>();
  #retryTimer: NodeJS.Timeout | undefined;
  #failures = 0;
  #hasStarted = true;
  #isClosed = false;

  constructor(private readonly options: PoolOptions<Sent>) {
    this.#kind = basename(options.script).split('.', 1)[0] as string;
    this.#slots = options.slots ?? ONE_SLOT;
    const slotClasses = Object.entries(this.#slots);
    this.#queues = new Map(slotClasses.map(([name, { freePerUsed }]) => [name, new FairQueue(freePerUsed)]));
  }

  /**
   * Starts the children that are kept ready, and waits for them.
   *
   * @throws ChildNotReadyError
   */
  async open(): Promise<void> {
    await Promise.all(Array.from({ length: this.options.min }, () => this.#start()));
  }

  /**
   * Whether no child can be started: the last two did not become ready, or died while they were
   * idle, and there is no other.
   */
  get isFailing(): boolean {
    return this.#failures > 1 && !this.#hasStarted && this.#members.size === 0;
  }

  /** Starts a child if there is none, because a request is about to arrive. */
  wake(): void {
    if (!this.#isClosed && this.#starts.size + this.#members.size === 0) this.#start().catch(() => {});
  }

  /** Fails the requests that wait, ends the children, and waits until they are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    for (const timer of this.#refillTimers) clearTimeout(timer);
    for (const queue of this.#queues.values()) {
      for (const waiting of queue) waiting.fail(new PoolClosedError());
    }
    for (const child of this.#unready) child.kill();
    await Promise.allSettled(this.#starts);
    const members = [...this.#members];
    for (const member of members) member.kill();
    await Promise.all(members.map(({ child }) => child.gone));
  }

  /**
   * Waits for a slot of a child that is ready.
   *
   * @throws ChildNotReadyError, PoolBusyError, PoolClosedError, the reason of the signal
   */
  async acquire(request: PoolRequest = {}): Promise<Lease<Sent, Received>> {
    if (this.#isClosed) throw new PoolClosedError();
    request.signal?.throwIfAborted();
    const { slotClass = '' } = request;
    const queue = this.#queues.get(slotClass);
    if (!queue) throw new Error(`The pool has no slot class ${slotClass}`);
    const waiting: Waiting<Sent, Received> = new WaitingRequest(request, () => queue.remove(waiting));
    queue.enqueue(waiting);
    const begunAt = performance.now();
    const report = (isGranted: boolean) =>
      publish('pool-waited', { kind: this.#kind, slotClass, waitedMs: performance.now() - begunAt, isGranted });
    waiting.lease.then(
      () => report(true),
      (error: unknown) => error instanceof PoolBusyError && report(false),
    );
    this.#schedule();
    return waiting.lease;
  }

  /**
   * Does a job in a child and releases it. When this settles, nothing of the job is left at work.
   *
   * @param isHarmless whether a child can be reused after an error of the job.
   */
  async use<T>(
    request: PoolRequest,
    job: (child: Child<Sent, Received>) => Promise<T>,
    isHarmless = (_error: unknown) => false,
  ): Promise<T> {
    const lease = await this.acquire(request);
    let isReusable = true;
    try {
      return await job(lease.child);
    } catch (error) {
      isReusable = isHarmless(error);
      throw error;
    } finally {
      await lease.release(isReusable);
    }
  }

  get #waitingCount(): number {
    return [...this.#queues.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Grants slots to the requests that may take one. For others it starts further children. */
  #schedule(): void {
    for (const [slotClass, queue] of this.#queues) {
      const freeSlots = (accountId: string) =>
        [...this.#members].reduce((sum, member) => sum + member.freeSlots(slotClass, accountId), 0);
      for (let waiting = queue.dequeue(freeSlots); waiting; waiting = queue.dequeue(freeSlots)) {
        this.#grant(waiting, slotClass);
      }
    }
    if (this.#waitingCount > 0) this.#fill();
  }

  /** Grants a slot of a child that belongs to the account, or else of the least busy one. */
  #grant(waiting: Waiting<Sent, Received>, slotClass: string): void {
    const { accountId, request } = waiting;
    const [member] = [...this.#members]
      .filter((one) => one.freeSlots(slotClass, accountId) > 0)
      .sort((a, b) => Number(b.owner === accountId) - Number(a.owner === accountId) || a.load - b.load);
    if (!member) throw new Error('A slot was granted that is not free');
    const wasOwned = member.owner !== undefined;
    member.begin(slotClass, accountId, request.use ?? 1);
    this.#failures = 0;
    if (!member.isReusable || (!wasOwned && member.owner !== undefined)) this.#fillIn(REFILL_AT_LAST_MS);
    const release = async (isReusable = true) => {
      this.#queues.get(slotClass)?.release(accountId);
      member.end(slotClass, isReusable);
      this.#endIdle(member);
      this.#schedule();
      if (!member.isReusable) await member.child.gone;
    };
    waiting.grant({ child: member.child, release });
  }

  /** Ends idle children of accounts that are too many. */
  #endIdle(latest: PoolMember<Sent, Received>): void {
    const { maxIdleOwned = Number.POSITIVE_INFINITY } = this.options;
    // The order of the set is that of use.
    if (this.#members.delete(latest)) this.#members.add(latest);
    const idle = [...this.#members].filter((one) => one.owner !== undefined && one.isReusable && one.load === 0);
    for (const one of idle.slice(0, Math.max(0, idle.length - maxIdleOwned))) one.kill();
  }

  /** Starts the children that are missing: to `min`, and one for each request that waits. */
  #fill(): void {
    if (this.#isClosed || this.#retryTimer) return;
    const { min, max } = this.options;
    const reusable = [...this.#members].filter((member) => member.isReusable);
    const ready = reusable.filter(({ owner }) => owner === undefined).length;
    // A pool that fails tries on until a child starts, without a request.
    const kept = this.isFailing ? Math.max(1, min) : min;
    const wanted = Math.max(0, kept - ready) + this.#waitingCount - this.#starts.size;
    const room = max - this.#starts.size - this.#members.size;
    for (let count = Math.min(wanted, room); count > 0; count--) this.#start().catch(() => {});
    // If there is an idle child, it belongs to an account other than those that wait.
    const ending = [...this.#members].filter((member) => member.isKilled).length;
    if (room <= 0 && wanted > ending) reusable.find(({ load }) => load === 0)?.kill();
  }

  #fillIn(delayMs: number): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#refillTimers.delete(timer);
      this.#fill();
    }, delayMs).unref();
    this.#refillTimers.add(timer);
  }

  #retryLater(): void {
    this.#hasStarted = false;
    this.#retryTimer ??= setTimeout(
      () => {
        this.#retryTimer = undefined;
        this.#fill();
      },
      backoffMs(this.#failures++),
    ).unref();
  }

  #start(): Promise<void> {
    const start: Promise<void> = this.#addChild()
      .catch((error: unknown) => {
        this.#reportFailedStart(error);
        throw error;
      })
      .finally(() => {
        this.#starts.delete(start);
        this.#schedule();
      });
    this.#starts.add(start);
    return start;
  }

  async #addChild(): Promise<void> {
    const { ownsFolder, prepare, firstMessage, readyTimeoutMs } = this.options;
    const folder = ownsFolder ? join(this.options.folder, `child-${ulid()}`) : this.options.folder;
    if (ownsFolder) await mkdir(folder, { recursive: true, mode: 0o700 });
    await prepare?.(folder);
    const child = spawnChild<Sent, Received>({ ...this.options, folder });
    this.#unready.add(child);
    if (this.#isClosed) child.kill();
    if (firstMessage) child.send(firstMessage(folder));
    await child.untilReady(readyTimeoutMs).finally(() => this.#unready.delete(child));
    const member = new PoolMember(child, { ...this.options, slots: this.#slots });
    this.#members.add(member);
    this.#hasStarted = true;
    publish('child-started', { kind: this.#kind });
    void child.exited.then(() => this.#remove(member));
  }

  /** A child that died while it was idle counts as a failed start. */
  async #remove(member: PoolMember<Sent, Received>): Promise<void> {
    this.#members.delete(member);
    publish('child-ended', { kind: this.#kind, cause: member.isKilled ? 'killed' : 'died' });
    if (this.#isClosed) return;
    if (member.isKilled || member.load > 0) this.#fillIn(REFILL_AFTER_END_MS);
    else {
      const exit = describeExit(await member.child.exited);
      this.#logger.error({ script: basename(this.options.script), exit }, 'A child process died while it was idle');
      this.#retryLater();
    }
    this.#schedule();
  }

  /** Fails the request that has waited longest, unless requests wait for the next attempt. */
  #reportFailedStart(error: unknown): void {
    if (this.#isClosed) return;
    this.#logger.error({ script: basename(this.options.script), err: error }, 'A child process could not be started');
    this.#retryLater();
    if (this.options.waitsForStart) return;
    const [longest] = [...this.#queues.values()].flatMap((queue) => [...queue]);
    longest?.fail(error);
  }
}
