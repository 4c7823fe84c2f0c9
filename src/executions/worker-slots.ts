import type { Config } from '../config/config.js';
import { maxSlotsOf, sharedSlots } from './plan-slots.js';
import { slotsFor } from './run-classes.js';
import type { WaitingExecution } from './waiting-execution.js';

/** Where an execution runs: in the slots that accounts share, or in the one kept for accounts that run nothing. */
export type Pool = 'shared' | 'kept';

/** From whom the free shared slots are saved, because an earlier execution waits for more of them. */
export type SavedFrom = 'none' | 'busy' | 'all';

/**
 * The slots of the workers, and the accounts that use them. Two rules prevent an account from stopping the others: an account
 * that runs something never takes the last free slot, and never more slots than its plan allows. An account that runs nothing
 * can always start one execution, of either class, in the slots that are free.
 */
export class WorkerSlots {
  private readonly free: Record<Pool, number>;
  private readonly used = new Map<string, number>();

  constructor(private readonly config: Pick<Config, 'WORKERS'>) {
    const shared = sharedSlots(config);
    this.free = { shared, kept: config.WORKERS - shared };
  }

  /** Whether the account runs nothing. */
  isIdle(accountId: string): boolean {
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

  /** Takes the slots of an execution; the returned function, called once, releases them. */
  acquire({ accountId, performance }: WaitingExecution, pool: Pool): () => void {
    const slots = slotsFor(performance, this.config);
    this.add(accountId, pool, slots);
    return () => this.add(accountId, pool, -slots);
  }

  private add(accountId: string, pool: Pool, slots: number): void {
    this.free[pool] -= slots;
    const used = (this.used.get(accountId) ?? 0) + slots;
    if (used === 0) this.used.delete(accountId);
    else this.used.set(accountId, used);
  }
}
