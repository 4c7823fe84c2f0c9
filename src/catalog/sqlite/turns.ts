/** Lets one at a time through, in the order of asking. */
export class Turns {
  private last: Promise<void> = Promise.resolve();

  /** Waits until all who asked before have ended their turns. @returns what ends this one. */
  async next(): Promise<() => void> {
    const before = this.last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.last = promise;
    await before;
    return resolve;
  }
}
