import type { Child } from './child.js';
import type { PoolPolicy } from './pool-policy.js';

/** A child of a pool: what uses it now, and how much it has been used. */
export class PoolMember<Sent extends object, Received> {
  #owner: string | undefined;
  #use = 0;
  readonly #slotsInUse = new Map<string, number>();
  #load = 0;
  #isKilled = false;
  #stopWatching = () => {};
  #retireTimer: NodeJS.Timeout | undefined;

  constructor(
    readonly child: Child<Sent, Received>,
    private readonly policy: PoolPolicy & Required<Pick<PoolPolicy, 'slots'>>,
  ) {
    void child.exited.then(() => this.#stopTimers());
  }

  /** The account that it belongs to, if the policy has it belong to one. */
  get owner(): string | undefined {
    return this.#owner;
  }

  /** How many requests it serves now. */
  get load(): number {
    return this.#load;
  }

  /** Whether the pool has killed it. */
  get isKilled(): boolean {
    return this.#isKilled;
  }

  /** Whether it can serve further requests, now or after those that it serves. */
  get isReusable(): boolean {
    return this.#use < this.policy.maxUse && !this.#isKilled && !this.child.hasExited;
  }

  /** Slots of a class that are free to an account. */
  freeSlots(slotClass: string, accountId: string): number {
    if (!this.isReusable || (this.#owner ?? accountId) !== accountId) return 0;
    return (this.policy.slots[slotClass]?.perChild ?? 0) - (this.#slotsInUse.get(slotClass) ?? 0);
  }

  /** Begins to serve a request. The memory of the process is watched as long as it serves any. */
  begin(slotClass: string, accountId: string, use: number): void {
    if (this.policy.belongsToAccount) this.#owner = accountId;
    this.#use += use;
    this.#slotsInUse.set(slotClass, (this.#slotsInUse.get(slotClass) ?? 0) + 1);
    if (this.#load === 0) {
      this.#stopTimers();
      this.#stopWatching = this.child.watchMemory();
    }
    this.#load += 1;
  }

  /** Ends a request. The process is killed if it cannot serve another one. */
  end(slotClass: string, isReusable: boolean): void {
    this.#slotsInUse.set(slotClass, (this.#slotsInUse.get(slotClass) ?? 0) - 1);
    this.#load -= 1;
    const isIdle = this.#load === 0;
    if (isIdle) this.#stopTimers();
    const { retireIdle } = this.policy;
    if (!isReusable || (isIdle && !this.isReusable)) this.kill();
    else if (isIdle && retireIdle && this.#use > retireIdle.use)
      this.#retireTimer = setTimeout(() => this.kill(), retireIdle.afterMs).unref();
  }

  /** Ends the process at once. */
  kill(): void {
    this.#isKilled = true;
    this.child.kill();
  }

  #stopTimers(): void {
    this.#stopWatching();
    clearTimeout(this.#retireTimer);
  }
}
