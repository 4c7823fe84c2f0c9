import { stageSegments } from './stage-segments.js';
import type { IngestedPart, StagedFile, TextOffset } from './staged-file.js';
import { discard } from './staging.js';

/** Makes a part of a segment; `before` is how much of the text stands before it. */
type AppendSegment = (segment: StagedFile, before: TextOffset) => Promise<IngestedPart>;

/**
 * Makes parts of a text of lines while it arrives: a segment of it is read while the next one is
 * staged. A segment is read only once all of it is there, so that a slow client occupies no
 * process, and a quick one waits for the reading, so that a text takes little of the disk.
 *
 * @returns the parts that have rows, in the order of the text.
 * @throws whatever `chunks` and `append` throw. Nothing is left staged then, and the rest of the
 *   text is not read.
 */
export async function appendSegments(
  chunks: AsyncIterable<Buffer>,
  folder: string,
  segmentBytes: number,
  append: AppendSegment,
): Promise<IngestedPart[]> {
  const parts: IngestedPart[] = [];
  const failed = new AbortController();
  let before: TextOffset = { lines: 0, rows: 0 };
  let reading = Promise.resolve();

  async function read(segment: StagedFile): Promise<void> {
    const part = await append(segment, before).finally(() => discard(segment));
    before = { lines: before.lines + (part.lineCount ?? 0), rows: before.rows + part.rowCount };
    if (part.rowCount > 0) parts.push(part);
    else await discard(part);
  }

  try {
    for await (const segment of stageSegments(untilAborted(chunks, failed.signal), folder, segmentBytes)) {
      await reading.catch(async (error: unknown) => {
        await discard(segment);
        throw error;
      });
      reading = read(segment);
      reading.catch((error: unknown) => failed.abort(error));
    }
    await reading;
    return parts;
  } catch (error) {
    await reading.catch(() => {});
    await Promise.all(parts.map(discard));
    throw failed.signal.aborted ? failed.signal.reason : error;
  }
}

/** The chunks until the signal is aborted, which does not wait for the next one. */
async function* untilAborted(
  chunks: AsyncIterable<Buffer>,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value, done } = await unlessAborted(iterator.next(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    const ended = iterator.return?.();
    // It ends after the chunk that it still waits for.
    if (signal.aborted) ended?.catch(() => {});
    else await ended;
  }
}

/** Awaits a promise unless the signal is aborted first. Unlike a race, it leaves no listener. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
