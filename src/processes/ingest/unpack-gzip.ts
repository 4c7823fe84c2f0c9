import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { InvalidGzipError } from './ingest.errors.js';

const CHUNK_BYTES = 65_536;
const MAGIC = Buffer.of(0x1f, 0x8b);

const NO_GZIP = 'is not gzip data, as its Content-Encoding states: compress it, or leave the header out';
const CUT_OFF = 'is gzip data that ends early: send all of it';
const DAMAGED = 'is damaged gzip data: compress it again';

/**
 * Decompresses gzip data as it arrives. Several members in a row are one text. The work is done by
 * Node's thread pool, a chunk at a time, and no faster than the chunks are consumed.
 *
 * @throws InvalidGzipError, what `packed` throws
 */
export async function* unpackGzip(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  let isGzip = true;
  async function* noted(): AsyncGenerator<Buffer, void, undefined> {
    let isFirst = true;
    for await (const chunk of packed) {
      if (isFirst) isGzip = chunk.subarray(0, MAGIC.length).equals(MAGIC.subarray(0, chunk.length));
      isFirst = false;
      yield chunk;
    }
  }
  // The loop below throws its errors.
  const feeding = pipeline(noted(), gunzip).catch(() => {});
  try {
    for await (const chunk of gunzip) yield chunk;
  } catch (error) {
    throw toGzipError(error, isGzip);
  } finally {
    gunzip.destroy();
    await feeding;
  }
}

function toGzipError(error: unknown, isGzip: boolean): unknown {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string' || !code.startsWith('Z_')) return error;
  if (!isGzip) return new InvalidGzipError(NO_GZIP);
  return new InvalidGzipError(code === 'Z_BUF_ERROR' ? CUT_OFF : DAMAGED);
}
