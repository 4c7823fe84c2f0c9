import { syncToDisk } from '../../storage/sync-to-disk.js';
import { stageLines } from './stage-lines.js';
import type { IngestedPart, StagedFile, StagedLines, TextPlace } from './staged-file.js';
import { discard } from './staging.js';

/** Makes a part of lines; `before` is what stands before them in the whole text. */
type AppendLines = (lines: StagedLines, before: TextPlace) => Promise<IngestedPart>;

/**
 * Makes parts of a text of lines while it arrives: one piece of it is read while the next is staged. A piece is read only once all of it is
 * there, so that a slow client holds no process; a fast one waits for the last piece alone.
 *
 * @returns the parts that have rows, in the order of the text.
 * @throws whatever `chunks` and `append` throw. Nothing is left staged then, and the rest of the text is not taken.
 */
export async function appendLines(
  chunks: AsyncIterable<Buffer>,
  folder: string,
  segmentBytes: number,
  append: AppendLines,
): Promise<IngestedPart[]> {
  const staged: StagedFile[] = [];
  const parts: IngestedPart[] = [];
  const failed = new AbortController();
  let before: TextPlace = { lines: 0, rows: 0 };
  let working = Promise.resolve();

  async function appendNext(lines: StagedLines): Promise<void> {
    const part = await append(lines, before).finally(() => discard(lines));
    before = { lines: before.lines + (part.lineCount ?? 0), rows: before.rows + part.rowCount };
    if (part.rowCount === 0) return discard(part);
    parts.push(part);
    // On its way to the disk while the next piece is read, it is there when the store waits for it.
    void syncToDisk(part.path).catch(() => {});
  }

  try {
    await stageLines(untilAborted(chunks, failed.signal), folder, segmentBytes, (lines) => {
      staged.push(lines);
      working = working.then(() => appendNext(lines));
      working.catch((error: unknown) => failed.abort(error));
    });
    await working;
    return parts;
  } catch (error) {
    await working.catch(() => {});
    await Promise.all([...staged, ...parts].map(discard));
    throw failed.signal.aborted ? failed.signal.reason : error;
  }
}

/** Chunks, up to the first after something has failed. */
async function* untilAborted(
  chunks: AsyncIterable<Buffer>,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}
