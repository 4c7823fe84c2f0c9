import { LINE_FEED } from './ascii.js';
import { SHORT_LINE_BYTES, skipShortLines } from './short-lines.js';
import type { StagedFile, StagedLines } from './staged-file.js';
import { discard } from './staging.js';

/**
 * Stages a text of lines in files of about `segmentBytes`, each of whole lines: a file is handed out as soon as it is there, so that it can
 * be read while the next ones arrive. There is at least one, which may be empty.
 *
 * @param stage writes a file, as `stageChunks` does.
 * @param take called with each file, in order; whoever gets it discards it. The next one is not begun before it has settled.
 * @throws whatever the chunks or `take` throw; the file under way is deleted then.
 */
export async function stageLines(
  chunks: AsyncIterable<Buffer>,
  stage: (chunks: AsyncIterable<Buffer>) => Promise<StagedFile>,
  segmentBytes: number,
  take: (lines: StagedLines) => Promise<void>,
): Promise<void> {
  const segments = new Segments(chunks, segmentBytes);
  try {
    for (let count = 0; !segments.isAtEnd; count++) {
      const file = await stage(segments.next());
      if (count > 0 && file.sizeBytes === 0) await discard(file);
      else await take({ ...file, maxLineBytes: segments.maxLineBytes });
    }
  } finally {
    await segments.close();
  }
}

/** Cuts a text behind line feeds. */
class Segments {
  /** At least as much as the longest line of the last segment. */
  maxLineBytes = 0;
  isAtEnd = false;
  readonly #chunks: AsyncIterator<Buffer>;
  /** What stands behind the last cut. */
  #rest: Buffer | undefined;

  constructor(
    chunks: AsyncIterable<Buffer>,
    private readonly segmentBytes: number,
  ) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The chunks up to the next cut, or to the end of the text. */
  async *next(): AsyncGenerator<Buffer, void, undefined> {
    let sizeBytes = 0;
    /** Bytes of a line that has not ended yet. */
    let openBytes = 0;
    this.maxLineBytes = 0;
    for (let chunk = await this.#take(); chunk; chunk = await this.#take()) {
      const behindFirst = chunk.indexOf(LINE_FEED) + 1;
      const behindLast = chunk.lastIndexOf(LINE_FEED) + 1;
      sizeBytes += chunk.length;
      const isCut = sizeBytes >= this.segmentBytes && behindLast > 0;
      this.#note(behindFirst > 0 ? openBytes + behindFirst : openBytes + chunk.length);
      this.#note(longestLine(chunk, behindFirst, behindLast));
      this.#note(chunk.length - behindLast);
      openBytes = behindLast > 0 ? chunk.length - behindLast : openBytes + chunk.length;
      if (isCut && behindLast < chunk.length) this.#rest = chunk.subarray(behindLast);
      yield isCut ? chunk.subarray(0, behindLast) : chunk;
      if (isCut) return;
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #note(lineBytes: number): void {
    if (lineBytes > this.maxLineBytes) this.maxLineBytes = lineBytes;
  }

  async #take(): Promise<Buffer | undefined> {
    const rest = this.#rest;
    this.#rest = undefined;
    if (rest) return rest;
    const { value, done } = await this.#chunks.next();
    if (done) this.isAtEnd = true;
    return done ? undefined : value;
  }
}

/** An upper bound for the length of the lines between two offsets of a chunk. */
function longestLine(chunk: Buffer, start: number, end: number): number {
  return skipShortLines(chunk, start) < end ? chunk.length : Math.min(SHORT_LINE_BYTES, end - start);
}
