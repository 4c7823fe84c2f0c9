/** Admits one caller at a time, in the order of their calls. */
export class Mutex {
  private last: Promise<void> = Promise.resolve();

  /** Waits for all earlier callers. @returns the release of this one. */
  async acquire(): Promise<() => void> {
    const before = this.last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.last = promise;
    await before;
    return resolve;
  }
}
