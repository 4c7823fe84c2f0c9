import { LINE_FEED } from './ascii.js';
import type { StagedFile } from './staged-file.js';
import { discard, stageChunks } from './staging.js';

/**
 * Stages a text of lines in segments of about `segmentBytes`, each of whole lines. A segment is
 * yielded as soon as it is there, so that it can be read while the next one arrives. There is at
 * least one, which may be empty.
 *
 * @throws whatever the chunks throw; the segment under way is deleted then.
 */
export async function* stageSegments(
  chunks: AsyncIterable<Buffer>,
  folder: string,
  segmentBytes: number,
): AsyncGenerator<StagedFile, void, undefined> {
  const text = new SegmentedText(chunks, segmentBytes);
  try {
    for (let count = 0; !text.isAtEnd; count++) {
      const segment = await stageChunks(text.nextSegment(), folder);
      if (count > 0 && segment.sizeBytes === 0) await discard(segment);
      else yield segment;
    }
  } finally {
    await text.close();
  }
}

/** A text that is cut after line feeds. */
class SegmentedText {
  isAtEnd = false;
  readonly #chunks: AsyncIterator<Buffer>;
  /** What follows the last cut. */
  #rest: Buffer | undefined;

  constructor(
    chunks: AsyncIterable<Buffer>,
    private readonly segmentBytes: number,
  ) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The chunks up to the next cut, or to the end of the text. */
  async *nextSegment(): AsyncGenerator<Buffer, void, undefined> {
    let sizeBytes = 0;
    for (let chunk = await this.#next(); chunk; chunk = await this.#next()) {
      sizeBytes += chunk.length;
      const cut = sizeBytes < this.segmentBytes ? 0 : chunk.lastIndexOf(LINE_FEED) + 1;
      if (cut === 0) yield chunk;
      else {
        if (cut < chunk.length) this.#rest = chunk.subarray(cut);
        yield chunk.subarray(0, cut);
        return;
      }
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #next(): Promise<Buffer | undefined> {
    const rest = this.#rest;
    this.#rest = undefined;
    if (rest) return rest;
    const { value, done } = await this.#chunks.next();
    if (done) this.isAtEnd = true;
    return done ? undefined : value;
  }
}
