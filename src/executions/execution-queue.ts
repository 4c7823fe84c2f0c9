import type { Performance } from './execution.js';
import { QueueFullError } from './executions.errors.js';

/** An execution that waits for its turn. */
export interface Waiting {
  readonly executionId: string;
  readonly accountId: string;
  readonly performance: Performance;
}

type WaitingId = Pick<Waiting, 'executionId' | 'accountId'>;

/**
 * The executions that wait: first in, first out within an account, and the accounts take turns, so that one account's thousand
 * executions do not hold up another's first. Bounded by `capacity`.
 */
export class ExecutionQueue {
  /** Each account's executions; the accounts stand in the order of their turns. */
  private readonly lines = new Map<string, Waiting[]>();
  private size = 0;
  private reserved = 0;

  constructor(private readonly capacity: number) {}

  /**
   * Holds a place until it is taken by {@link add} or given back.
   *
   * @throws QueueFullError if every place is taken.
   */
  reserve(): { release: () => void } {
    if (this.size + this.reserved >= this.capacity) throw new QueueFullError();
    this.reserved += 1;
    let isHeld = true;
    const release = () => {
      if (isHeld) this.reserved -= 1;
      isHeld = false;
    };
    return { release };
  }

  /** Lets an execution wait; never refuses, because its row is already in the catalog. */
  add(waiting: Waiting): void {
    const line = this.lines.get(waiting.accountId);
    if (line) line.push(waiting);
    else this.lines.set(waiting.accountId, [waiting]);
    this.size += 1;
  }

  /** The execution whose turn it is, which stays in the queue. */
  peek(): Waiting | undefined {
    const [first] = this.lines.values();
    return first?.[0];
  }

  /** Takes out the execution whose turn it is; its account's next one waits for the others' turns. */
  take(): Waiting | undefined {
    const [first] = this.lines;
    if (!first) return undefined;
    const [accountId, line] = first;
    const waiting = line.shift();
    this.lines.delete(accountId);
    if (line.length > 0) this.lines.set(accountId, line);
    this.size -= 1;
    return waiting;
  }

  /** Gives an execution that was taken, and could not begin, its turn back. */
  putBack(waiting: Waiting): void {
    const { accountId } = waiting;
    const line = [waiting, ...(this.lines.get(accountId) ?? [])];
    const others = [...this.lines].filter(([other]) => other !== accountId);
    this.lines.clear();
    for (const [account, its] of [[accountId, line] as const, ...others]) this.lines.set(account, its);
    this.size += 1;
  }

  /** Takes out an execution that no longer waits. */
  remove({ executionId, accountId }: WaitingId): void {
    const line = this.lines.get(accountId);
    const index = line?.findIndex((waiting) => waiting.executionId === executionId) ?? -1;
    if (!line || index < 0) return;
    line.splice(index, 1);
    if (line.length === 0) this.lines.delete(accountId);
    this.size -= 1;
  }

  /** When its turn comes, counted from 1; undefined if it does not wait. */
  positionOf({ executionId, accountId }: WaitingId): number | undefined {
    const line = this.lines.get(accountId);
    const index = line?.findIndex((waiting) => waiting.executionId === executionId) ?? -1;
    if (index < 0) return undefined;
    let position = index + 1;
    let isBefore = true;
    for (const [other, { length }] of this.lines) {
      if (other === accountId) isBefore = false;
      else position += Math.min(length, isBefore ? index + 1 : index);
    }
    return position;
  }
}
