/** A request for a slot of a pool. */
export interface PoolRequest {
  /** For whom the child works; absent if that is of no importance to the pool. */
  readonly accountId?: string;
  /** One of the slot classes of the pool; absent if it has one only. */
  readonly slotClass?: string;
  /** How much of its `maxUse` the child is used by this. 1 if absent. */
  readonly use?: number;
  /** Ends the wait with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** How long to wait for a slot; without end if absent. */
  readonly maxWaitMs?: number;
}

/** No slot of a pool became free in time. */
export class PoolBusyError extends Error {
  constructor() {
    super('No process was free in time');
  }
}

/** A request that waits. It gets a slot, or fails because of its time, its signal or the pool. */
export class WaitingRequest<Lease> {
  readonly accountId: string;
  /** Settles when the request waits no more. */
  readonly lease: Promise<Lease>;
  readonly #settle: PromiseWithResolvers<Lease>;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #abort = () => this.fail(this.request.signal?.reason);

  /** @param onFailed called if the request fails. */
  constructor(
    readonly request: PoolRequest,
    private readonly onFailed: (waiting: WaitingRequest<Lease>) => void,
  ) {
    this.accountId = request.accountId ?? '';
    this.#settle = Promise.withResolvers();
    this.lease = this.#settle.promise;
    const { maxWaitMs, signal } = request;
    if (maxWaitMs !== undefined) this.#timer = setTimeout(() => this.fail(new PoolBusyError()), maxWaitMs);
    signal?.addEventListener('abort', this.#abort);
  }

  grant(lease: Lease): void {
    this.#stopWaiting();
    this.#settle.resolve(lease);
  }

  fail(error: unknown): void {
    this.#stopWaiting();
    this.onFailed(this);
    this.#settle.reject(error);
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.request.signal?.removeEventListener('abort', this.#abort);
  }
}
