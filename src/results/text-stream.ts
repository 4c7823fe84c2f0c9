import { once } from 'node:events';
import { Readable } from 'node:stream';

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

/** Reads a stream that holds one number, to its end. */
export async function readNumber(stream: Readable): Promise<number> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return Number(text);
}

/** A stream of texts made from the chunks of another, which is given up as soon as nobody takes any more. */
export function streamFrom(
  source: Readable,
  toTexts: (source: AsyncIterable<Buffer>) => AsyncIterable<string | Buffer>,
): Readable {
  const stream = Readable.from(toTexts(source), { objectMode: false });
  // A generator that has not begun yet never ends its source itself.
  return stream.once('close', () => source.destroy());
}
