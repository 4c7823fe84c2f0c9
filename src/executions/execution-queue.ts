import { PLANS, type Plan } from '../auth/account.js';
import type { AccountId } from '../catalog/ids.js';
import { AccountQueueFullError, QueueFullError } from './executions.errors.js';
import type { WaitingExecution, WaitingId } from './waiting-execution.js';
import type { Pool, SavedFrom, WorkerSlots } from './worker-slots.js';

/** How many executions may wait. */
export interface QueueBounds {
  readonly perAccount: number;
  /** Of all accounts; an account of which nothing waits may exceed it by one. */
  readonly total: number;
}

/** How often later executions may start before one that waits for more slots than are free. */
export const MAX_PASSES = 8;

interface Entry {
  readonly waiting: WaitingExecution;
  /** How many later executions have started before it. */
  passes: number;
}

/** An execution that can start, and where. */
interface Startable {
  readonly entry: Entry;
  readonly pool: Pool;
  readonly passed: readonly Entry[];
}

/**
 * The executions that wait: first in, first out within an account, and round-robin between
 * accounts. Executions that cannot start let later ones pass.
 */
export class ExecutionQueue {
  /** The executions of each account; the accounts are in round-robin order. */
  private readonly lines = new Map<AccountId, Entry[]>();
  private readonly reserved = new Map<AccountId, number>();

  constructor(private readonly bounds: QueueBounds) {}

  /**
   * Reserves room for an execution of an account, until it is released.
   *
   * @throws AccountQueueFullError, QueueFullError
   */
  reserve(accountId: AccountId): { release: () => void } {
    const own = this.countOf(accountId);
    if (own >= this.bounds.perAccount) throw new AccountQueueFullError(this.bounds.perAccount);
    if (own > 0 && this.count() >= this.bounds.total) throw new QueueFullError(this.bounds.total);
    this.changeReserved(accountId, 1);
    let isReserved = true;
    const release = () => {
      if (isReserved) this.changeReserved(accountId, -1);
      isReserved = false;
    };
    return { release };
  }

  /** Adds an execution, whose row is already in the catalog. */
  add(waiting: WaitingExecution): void {
    const line = this.lines.get(waiting.accountId);
    const entry = { waiting, passes: 0 };
    if (line) line.push(entry);
    else this.lines.set(waiting.accountId, [entry]);
  }

  /** Removes the first execution that can start in the free slots. Its account goes to the end. */
  takeNext(slots: WorkerSlots): { waiting: WaitingExecution; pool: Pool } | undefined {
    const found = this.findStartable(slots);
    if (!found) return undefined;
    const { entry, pool, passed } = found;
    for (const earlier of passed) earlier.passes += 1;
    this.remove(entry.waiting);
    this.moveToEnd(entry.waiting.accountId);
    return { waiting: entry.waiting, pool };
  }

  /** Returns an execution that was removed, and could not begin, to the front. */
  requeue(waiting: WaitingExecution): void {
    const { accountId } = waiting;
    const line = [{ waiting, passes: 0 }, ...(this.lines.get(accountId) ?? [])];
    const others = [...this.lines].filter(([other]) => other !== accountId);
    this.lines.clear();
    for (const [account, entries] of [[accountId, line] as const, ...others]) this.lines.set(account, entries);
  }

  /** Removes an execution that no longer waits. */
  remove({ executionId, accountId }: WaitingId): void {
    const line = this.lines.get(accountId) ?? [];
    const index = line.findIndex(({ waiting }) => waiting.executionId === executionId);
    if (index < 0) return;
    line.splice(index, 1);
    if (line.length === 0) this.lines.delete(accountId);
  }

  /** How many executions wait, by the plan of their accounts. */
  countByPlan(): ReadonlyMap<Plan, number> {
    const counts = new Map<Plan, number>(PLANS.map((plan) => [plan, 0]));
    for (const line of this.lines.values())
      for (const { waiting } of line) counts.set(waiting.plan, (counts.get(waiting.plan) ?? 0) + 1);
    return counts;
  }

  /** The position of an execution in the queue, from 1; undefined if it does not wait. */
  positionOf({ executionId, accountId }: WaitingId): number | undefined {
    const line = this.lines.get(accountId) ?? [];
    const index = line.findIndex(({ waiting }) => waiting.executionId === executionId);
    if (index < 0) return undefined;
    let position = index + 1;
    let isBefore = true;
    for (const [other, { length }] of this.lines) {
      if (other === accountId) isBefore = false;
      else position += Math.min(length, isBefore ? index + 1 : index);
    }
    return position;
  }

  private findStartable(slots: WorkerSlots): Startable | undefined {
    const blocked: Entry[] = [];
    let savedFrom: SavedFrom = 'none';
    for (const [accountId, line] of this.lines) {
      const found = findInLine(line, slots, savedFrom);
      // Only what starts in shared slots takes them from the executions that wait for these.
      if (found) return { ...found, passed: [...found.passed, ...(found.pool === 'shared' ? blocked : [])] };
      const [first] = line;
      if (!first || !slots.isIdle(accountId)) continue;
      blocked.push(first);
      savedFrom = savedFrom === 'all' || first.passes >= MAX_PASSES ? 'all' : 'busy';
    }
    return undefined;
  }

  private moveToEnd(accountId: AccountId): void {
    const line = this.lines.get(accountId);
    if (!line) return;
    this.lines.delete(accountId);
    this.lines.set(accountId, line);
  }

  private countOf(accountId: AccountId): number {
    return (this.lines.get(accountId)?.length ?? 0) + (this.reserved.get(accountId) ?? 0);
  }

  private count(): number {
    const counts = [...[...this.lines.values()].map(({ length }) => length), ...this.reserved.values()];
    return counts.reduce((sum, count) => sum + count, 0);
  }

  private changeReserved(accountId: AccountId, change: 1 | -1): void {
    const reserved = (this.reserved.get(accountId) ?? 0) + change;
    if (reserved === 0) this.reserved.delete(accountId);
    else this.reserved.set(accountId, reserved);
  }
}

/** The first execution of an account, or the medium one after a large one that cannot start. */
function findInLine(
  [first, ...later]: readonly Entry[],
  slots: WorkerSlots,
  savedFrom: SavedFrom,
): Startable | undefined {
  if (!first) return undefined;
  const pool = slots.findPool(first.waiting, savedFrom);
  if (pool) return { entry: first, pool, passed: [] };
  if (first.waiting.performance === 'medium' || first.passes >= MAX_PASSES) return undefined;
  const medium = later.find(({ waiting }) => waiting.performance === 'medium');
  const mediumPool = medium && slots.findPool(medium.waiting, savedFrom);
  return medium && mediumPool && { entry: medium, pool: mediumPool, passed: [first] };
}
