/** Files that are copied or read at the same time: enough to keep a disk busy. */
const FILES_AT_ONCE = 4;

/**
 * Does work for each item, several at a time. The first error ends it, after the work under way.
 */
export async function forEachAtOnce<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  let hasFailed = false;
  const worker = async () => {
    for (let next = queue.next(); !next.done && !hasFailed; next = queue.next())
      await work(next.value).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
  };
  const ended = await Promise.allSettled(Array.from({ length: FILES_AT_ONCE }, worker));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}
