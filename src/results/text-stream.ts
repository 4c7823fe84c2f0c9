import { once } from 'node:events';
import { OutgoingMessage } from 'node:http';
import { finished, Readable } from 'node:stream';
import type { PipeStream } from '../processes/read/pipe-stream.js';

/** The text ended before what had to come. */
class TextEndedError extends Error {
  constructor() {
    super('The text of a read ended too early');
  }
}

/** Takes the first bytes of a stream; the rest stays to be read. */
export async function readExactly(stream: Readable, sizeBytes: number): Promise<Buffer> {
  const ended = new AbortController();
  const onEnd = () => ended.abort(new TextEndedError());
  stream.once('end', onEnd);
  try {
    for (;;) {
      const chunk = stream.read(sizeBytes) as Buffer | null;
      if (chunk?.length === sizeBytes) return chunk;
      if (chunk !== null) throw new TextEndedError();
      await once(stream, 'readable', { signal: ended.signal });
    }
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    stream.off('end', onEnd);
  }
}

/** Waits for the first bytes of a stream, which stay to be read, or for its end. */
export async function untilBegun(stream: Readable): Promise<void> {
  await once(stream, 'readable');
}

/** Reads a stream that holds one number, to its end. */
export async function readNumber(stream: Readable): Promise<number> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return Number(text);
}

/** What stands around the rows of an answer. */
export interface Surroundings {
  readonly before: string;
  readonly after?: string;
  /** Bytes at the start of the rows that are left out. */
  readonly skipBytes?: number;
}

/** The text of an answer: what the engine wrote, with something before and after it. Given up, it gives up the read. */
export class TextStream extends Readable {
  private toSkip: number;

  constructor(
    private readonly rows: PipeStream,
    { before, after = '', skipBytes = 0 }: Surroundings,
  ) {
    super();
    this.toSkip = skipBytes;
    this.push(before);
    rows.on('data', (chunk: Buffer) => {
      const rest = this.toSkip === 0 ? chunk : chunk.subarray(this.toSkip);
      this.toSkip = Math.max(0, this.toSkip - chunk.length);
      if (!this.push(rest)) rows.pause();
    });
    rows.pause();
    finished(rows, (error) => {
      if (error) return this.destroy(error);
      this.push(after);
      this.push(null);
    });
  }

  /**
   * Pipes as every stream does, except that memory is reused after the response has sent it: without this, a CSV
   * result of 125 MB takes the server more than twice the processor time (`docs/performance.md`). Only for a response
   * does the callback of `write` mean that the bytes have been sent; other streams may still pass them on, and bytes of
   * another client would be sent in their place.
   */
  override pipe<T extends NodeJS.WritableStream>(destination: T, { end = true }: { end?: boolean } = {}): T {
    if (!(destination instanceof OutgoingMessage)) return super.pipe(destination, { end });
    this.on('data', (chunk: Buffer) => {
      const hasRoom = destination.write(chunk, (error) => {
        if (!error) this.rows.recycle(chunk);
      });
      if (!hasRoom) this.pause();
    });
    destination.on('drain', () => this.resume());
    if (end) this.once('end', () => destination.end());
    return destination;
  }

  override _read(): void {
    this.rows.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.rows.destroy();
    callback(error);
  }
}
