import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** The text of a read ended before the bytes that it must have. */
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
