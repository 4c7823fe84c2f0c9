/**
 * Flags of V8 for the server (`src/processes/ingest/collect-chunks.ts`). Every command line that
 * starts it has them: package.json, bin/eider, the single executable, benches and tests.
 */
export const V8_FLAGS = [
  '--expose-gc',
  // A collection has little to do: helper threads would wait for processors that are busy.
  '--no-parallel-scavenge',
  // After a rest the heap may grow by only 30 %, less than V8 reserves for young objects: it would
  // mark all objects again and again, sixty times in a body of 1 GB.
  '--heap-growing-percent=300',
];
