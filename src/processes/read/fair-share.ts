/**
 * Slots that accounts share: an account takes another one only while more than `freePerHeld` slots
 * are free for each that it holds. With 1, one account holds at most half of the slots, and each of
 * k accounts one of k + 1 parts; with 2, at most a third. So there is a slot for an account that
 * holds none until as many accounts as there are slots hold some.
 */
export class FairShare {
  private readonly held = new Map<string, number>();

  constructor(private readonly freePerHeld: number) {}

  /** Whether the account may take one of `freeSlots` slots. */
  mayTake(accountId: string, freeSlots: number): boolean {
    return this.heldBy(accountId) * this.freePerHeld < freeSlots;
  }

  take(accountId: string): void {
    this.held.set(accountId, this.heldBy(accountId) + 1);
  }

  release(accountId: string): void {
    const rest = this.heldBy(accountId) - 1;
    if (rest > 0) this.held.set(accountId, rest);
    else this.held.delete(accountId);
  }

  private heldBy(accountId: string): number {
    return this.held.get(accountId) ?? 0;
  }
}
