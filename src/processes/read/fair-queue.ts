import { FairShare } from './fair-share.js';

/**
 * Reads that wait for slots: first in, first out within an account, and round-robin between the
 * accounts that may take another slot.
 */
export class FairQueue<Read extends { readonly accountId: string }> {
  /** Each account's waiting reads; the accounts stand in round-robin order. */
  private readonly waiting = new Map<string, Set<Read>>();
  private readonly share: FairShare;

  /** @param freePerHeld see {@link FairShare}. */
  constructor(freePerHeld: number) {
    this.share = new FairShare(freePerHeld);
  }

  enqueue(read: Read): void {
    const reads = this.waiting.get(read.accountId);
    if (reads) reads.add(read);
    else this.waiting.set(read.accountId, new Set([read]));
  }

  /** Takes out a read that no longer waits. */
  remove(read: Read): void {
    const reads = this.waiting.get(read.accountId);
    reads?.delete(read);
    if (reads?.size === 0) this.waiting.delete(read.accountId);
  }

  /**
   * Takes out the next read that may take one of `freeSlots` slots. Its account holds the slot
   * until it is released.
   */
  dequeue(freeSlots: number): Read | undefined {
    for (const [accountId, reads] of this.waiting) {
      if (!this.share.mayTake(accountId, freeSlots)) continue;
      const [read] = reads;
      if (!read) continue;
      // Its account goes to the end.
      this.waiting.delete(accountId);
      reads.delete(read);
      if (reads.size > 0) this.waiting.set(accountId, reads);
      this.share.take(accountId);
      return read;
    }
    return undefined;
  }

  release(accountId: string): void {
    this.share.release(accountId);
  }

  /** Takes out all reads. */
  clear(): Read[] {
    const reads = [...this.waiting.values()].flatMap((one) => [...one]);
    this.waiting.clear();
    return reads;
  }
}
