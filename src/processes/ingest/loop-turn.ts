import { setImmediate } from 'node:timers/promises';

/**
 * How long one body may keep the event loop to itself. A quick client's would keep it for 12 ms, 20 after a rest: the system gives out 2 MB of a
 * connection in a row.
 */
const MAX_TURN_MS = 4;

/** Work of a large body on the event loop, which lets others have their turn now and then. */
export class LoopTurn {
  #begunAt = performance.now();

  /** Whether the turn has taken long enough: others wait. */
  get isOver(): boolean {
    return performance.now() - this.#begunAt > MAX_TURN_MS;
  }

  /** Lets everything else that waits for the loop have its turn, and begins another. */
  async yield(): Promise<void> {
    await setImmediate();
    this.#begunAt = performance.now();
  }
}
