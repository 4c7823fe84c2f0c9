import { syncToDisk } from '../../storage/sync-to-disk.js';
import { ReusedFiles } from './reused-files.js';
import { stageLines } from './stage-lines.js';
import type { IngestedPart, StagedFile, StagedLines, TextPlace } from './staged-file.js';
import { discard } from './staging.js';

/** Makes a part of each of some pieces; `before` is what stands before them in the whole text. */
type AppendPieces = (pieces: readonly StagedLines[], before: TextPlace) => Promise<IngestedPart[]>;

/** Pieces that are read at the same time: two of them, by a thread each, take less than one by two threads. */
const MAX_AT_ONCE = 2;
/**
 * Pieces that wait to be read. A client that is quicker than the reading waits too, so that a text takes little of the disk, and the same
 * pages of memory again and again: new ones can cost more than all else (`docs/performance.md`).
 */
const MAX_WAITING = 2;

/**
 * Makes parts of a text of lines while it arrives: some pieces of it are read while the next are staged. A piece is read only once all of it
 * is there, so that a slow client holds no process; a fast one waits for the last pieces alone.
 *
 * @returns the parts that have rows, in the order of the text.
 * @throws whatever `chunks` and `append` throw. Nothing is left staged then, and the rest of the text is not taken.
 */
export async function appendLines(
  chunks: AsyncIterable<Buffer>,
  folder: string,
  segmentBytes: number,
  append: AppendPieces,
): Promise<IngestedPart[]> {
  const files = new ReusedFiles(folder);
  const staged: StagedFile[] = [];
  const parts: IngestedPart[] = [];
  const waiting: StagedLines[] = [];
  const failed = new AbortController();
  let before: TextPlace = { lines: 0, rows: 0 };
  let working = Promise.resolve();
  /** Resolves when pieces that wait are taken to be read. */
  let room = Promise.withResolvers<void>();

  async function appendWaiting(): Promise<void> {
    const pieces = waiting.splice(0, MAX_AT_ONCE);
    if (pieces.length === 0) return;
    room.resolve();
    room = Promise.withResolvers();
    const made = await append(pieces, before);
    for (const piece of pieces) files.giveBack(piece);
    for (const part of made) {
      before = { lines: before.lines + (part.lineCount ?? 0), rows: before.rows + part.rowCount };
      parts.push(part);
      // On its way to the disk while the next pieces are read, it is there when the store waits for it.
      void syncToDisk(part.path).catch(() => {});
    }
  }

  try {
    await stageLines(
      untilAborted(chunks, failed.signal),
      (some) => files.stage(some),
      segmentBytes,
      async (lines) => {
        staged.push(lines);
        waiting.push(lines);
        working = working.then(appendWaiting);
        working.catch((error: unknown) => failed.abort(error));
        if (waiting.length >= MAX_WAITING) await Promise.race([room.promise, working]);
      },
    );
    await working;
    await files.discard();
    return await withoutEmpty(parts);
  } catch (error) {
    await working.catch(() => {});
    await Promise.all([...staged, ...parts].map(discard));
    throw failed.signal.aborted ? failed.signal.reason : error;
  }
}

async function withoutEmpty(parts: readonly IngestedPart[]): Promise<IngestedPart[]> {
  await Promise.all(parts.filter(({ rowCount }) => rowCount === 0).map(discard));
  return parts.filter(({ rowCount }) => rowCount > 0);
}

/** Chunks, until something has failed: nobody waits for the next one then, which may be long in coming. */
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
    // It ends behind the chunk that it still waits for.
    if (signal.aborted) ended?.catch(() => {});
    else await ended;
  }
}

/** What a promise brings, unless the signal is aborted first. Unlike a race, it leaves nothing with the signal. */
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
