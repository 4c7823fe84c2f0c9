import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of a body after which its chunks are collected. Twice as many alarm the engine while its heap is small, as it is after a rest. */
const INTERVAL_BYTES = 16 * 2 ** 20;

type Collect = (options: { readonly type: 'minor' }) => void;

const FLAGS = [
  // A collection has little to do. Helpers would let it wait for a processor, which those who read the body keep busy.
  '--no-parallel-scavenge',
  '--no-concurrent-array-buffer-sweeping',
  // As the heap may when it is young. After a rest it may grow by 30 % only, which is less than the engine keeps free for the young: it
  // would mark all that there is again and again, sixty times in a body of 1 GB.
  '--heap-growing-percent=300',
];

/**
 * Taken when this is loaded. What Node makes a context of lies in a part of its file that nothing else reads, and that may have to come from the
 * disk: with the first large body, which keeps the disk busy, that would take up to 300 ms.
 */
const collect = takeCollect();
let isTuned = false;

/**
 * Gives back the memory of chunks that nobody holds any more. A chunk is some words in the engine's heap and 64 kB outside of it, so that
 * the heap seems to have no need of a collection until the memory outside alarms it: then it marks all that there is, forty times in a body
 * of 1 GB, which takes more processor time than receiving the body (`docs/performance.md`). Collecting the young takes half a
 * millisecond.
 */
export class ChunkCollector {
  #bytes = 0;

  /** Counts a chunk that came. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < INTERVAL_BYTES) return;
    this.#bytes = 0;
    if (!isTuned) tune();
    collect({ type: 'minor' });
  }
}

/** Leaves no global `gc` in contexts that are made later. */
function takeCollect(): Collect {
  setFlagsFromString('--expose-gc');
  const taken = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return taken;
}

/** Waits until the first large body: commands and small requests keep the defaults of V8. */
function tune(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
  isTuned = true;
}
