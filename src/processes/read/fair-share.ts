/**
 * Slots that accounts share: an account takes another one only while it holds fewer than are free. So one account never holds more than half,
 * k accounts leave one of k + 1 parts free, and there is a slot for an account that holds none.
 */
export class FairShare {
  private readonly held = new Map<string, number>();

  heldBy(accountId: string): number {
    return this.held.get(accountId) ?? 0;
  }

  /** Whether the account may take one of `freeSlots` slots. */
  mayTake(accountId: string, freeSlots: number): boolean {
    return this.heldBy(accountId) < freeSlots;
  }

  take(accountId: string): void {
    this.held.set(accountId, this.heldBy(accountId) + 1);
  }

  release(accountId: string): void {
    const rest = this.heldBy(accountId) - 1;
    if (rest > 0) this.held.set(accountId, rest);
    else this.held.delete(accountId);
  }
}
