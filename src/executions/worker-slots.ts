import type { AccountId } from '../catalog/ids.js';
import type { Config } from '../config/config.js';
import { maxSlotsOf, sharedSlots } from './plan-slots.js';
import { slotsFor } from './run-classes.js';
import type { WaitingExecution } from './waiting-execution.js';

/** Which slots: those that accounts share, or the one kept for accounts that run nothing. */
export type Pool = 'shared' | 'kept';

/** Which accounts get no shared slot, because an earlier execution waits for more of them. */
export type SavedFrom = 'none' | 'busy' | 'all';

/**
 * The slots of the workers, and the accounts that use them. An account that runs something gets
 * neither the last free slot nor more slots than its plan allows. An account that runs nothing can
 * always start one execution, of either class, in the slots that are free.
 */
export class WorkerSlots {
  private readonly free: Record<Pool, number>;
  private readonly used = new Map<AccountId, number>();

  constructor(private readonly config: Pick<Config, 'WORKERS'>) {
    const shared = sharedSlots(config);
    this.free = { shared, kept: config.WORKERS - shared };
  }

  /** How many slots are used, of how many. */
  count(): { used: number; total: number } {
    const { WORKERS: total } = this.config;
    return { used: total - this.free.shared - this.free.kept, total };
  }

  /** Whether the account runs nothing. */
  isIdle(accountId: AccountId): boolean {
    return !this.used.has(accountId);
  }

  /** The pool in which an execution can start now, if there is one. */
  findPool({ accountId, plan, performance }: WaitingExecution, savedFrom: SavedFrom): Pool | undefined {
    const needed = slotsFor(performance, this.config);
    const used = this.used.get(accountId) ?? 0;
    if (used === 0) {
      if (savedFrom !== 'all' && needed <= this.free.shared) return 'shared';
      return needed <= this.free.kept ? 'kept' : undefined;
    }
    const isWithinPlan = used + needed <= maxSlotsOf(plan, this.config);
    const isAnotherFree = needed < this.free.shared + this.free.kept;
    const isShared = savedFrom === 'none' && needed <= this.free.shared;
    return isWithinPlan && isAnotherFree && isShared ? 'shared' : undefined;
  }

  /** Takes the slots of an execution. @returns what releases them, to be called once. */
  acquire({ accountId, performance }: WaitingExecution, pool: Pool): () => void {
    const slots = slotsFor(performance, this.config);
    this.add(accountId, pool, slots);
    return () => this.add(accountId, pool, -slots);
  }

  private add(accountId: AccountId, pool: Pool, slots: number): void {
    this.free[pool] -= slots;
    const used = (this.used.get(accountId) ?? 0) + slots;
    if (used === 0) this.used.delete(accountId);
    else this.used.set(accountId, used);
  }
}
