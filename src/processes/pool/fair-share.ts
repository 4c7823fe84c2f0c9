/**
 * Slots that accounts share: an account takes another one only while more than `freePerUsed` slots
 * are free for each that it uses. With 1, one account uses at most half of the slots, and each of k
 * accounts one of k + 1 parts; with 2, at most a third. So there is a slot for an account that uses
 * none until as many accounts as there are slots use some. With 0, an account can use all.
 */
export class FairShare {
  private readonly used = new Map<string, number>();

  constructor(private readonly freePerUsed: number) {}

  /** Whether the account may take one of `freeSlots` slots. */
  mayTake(accountId: string, freeSlots: number): boolean {
    return this.usedBy(accountId) * this.freePerUsed < freeSlots;
  }

  take(accountId: string): void {
    this.used.set(accountId, this.usedBy(accountId) + 1);
  }

  release(accountId: string): void {
    const rest = this.usedBy(accountId) - 1;
    if (rest > 0) this.used.set(accountId, rest);
    else this.used.delete(accountId);
  }

  private usedBy(accountId: string): number {
    return this.used.get(accountId) ?? 0;
  }
}
