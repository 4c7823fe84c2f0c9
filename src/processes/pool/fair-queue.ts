import { FairShare } from './fair-share.js';

/**
 * Requests that wait for slots: first in, first out within an account, and round-robin between the
 * accounts that may take another slot.
 */
export class FairQueue<Request extends { readonly accountId: string }> {
  /** Each account's waiting requests; the accounts stand in round-robin order. */
  private readonly waiting = new Map<string, Set<Request>>();
  private readonly share: FairShare;

  /** @param freePerUsed see {@link FairShare}. */
  constructor(freePerUsed: number) {
    this.share = new FairShare(freePerUsed);
  }

  /** How many requests wait. */
  get size(): number {
    return [...this.waiting.values()].reduce((sum, requests) => sum + requests.size, 0);
  }

  enqueue(request: Request): void {
    const requests = this.waiting.get(request.accountId);
    if (requests) requests.add(request);
    else this.waiting.set(request.accountId, new Set([request]));
  }

  /** Takes out a request that no longer waits. */
  remove(request: Request): void {
    const requests = this.waiting.get(request.accountId);
    requests?.delete(request);
    if (requests?.size === 0) this.waiting.delete(request.accountId);
  }

  /**
   * Takes out the next request that may take one of the slots that are free to its account. The
   * account uses the slot until it is released.
   */
  dequeue(freeSlots: (accountId: string) => number): Request | undefined {
    for (const [accountId, requests] of this.waiting) {
      if (!this.share.mayTake(accountId, freeSlots(accountId))) continue;
      const [request] = requests;
      if (!request) continue;
      // Its account goes to the end.
      this.waiting.delete(accountId);
      requests.delete(request);
      if (requests.size > 0) this.waiting.set(accountId, requests);
      this.share.take(accountId);
      return request;
    }
    return undefined;
  }

  /** Reports that an account no longer uses a slot. */
  release(accountId: string): void {
    this.share.release(accountId);
  }

  /** The requests that wait. */
  *[Symbol.iterator](): Generator<Request> {
    for (const requests of this.waiting.values()) yield* requests;
  }
}
