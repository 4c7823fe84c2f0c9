import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { EncodedBodyError } from './common.errors.js';

/**
 * Refuses a body that is compressed, before its bytes are taken for text.
 *
 * @throws EncodedBodyError (RFC 9110, section 8.4)
 */
export function refuseEncoded(headers: IncomingHttpHeaders): void {
  if (encodingOf(headers) !== 'identity') throw EncodedBodyError.ofAny();
}

/**
 * Whether a body is compressed by gzip.
 *
 * @throws EncodedBodyError if it is encoded in any other way.
 */
export function isGzipEncoded(headers: IncomingHttpHeaders): boolean {
  const encoding = encodingOf(headers);
  if (encoding === 'gzip' || encoding === 'x-gzip') return true;
  if (encoding !== 'identity') throw EncodedBodyError.otherThanGzip();
  return false;
}

function encodingOf(headers: IncomingHttpHeaders): string {
  return headers['content-encoding']?.trim().toLowerCase() || 'identity';
}

/**
 * The chunks of a body. The rest of one that is left early is discarded: the connection is still
 * needed for the answer, and for the next request.
 *
 * @throws what `toError` makes of an end of the connection in the middle of the body.
 */
export async function* chunksOf(
  body: Readable,
  toError: (cause: unknown) => Error,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) yield chunk;
  } catch (cause) {
    throw toError(cause);
  } finally {
    body.resume();
  }
}
