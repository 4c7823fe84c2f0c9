import type { IncomingHttpHeaders } from 'node:http';
import { EncodedBodyError } from './common.errors.js';

/**
 * Refuses a body that is compressed, before its bytes are taken for text.
 *
 * @throws EncodedBodyError (RFC 9110, section 8.4)
 */
export function refuseEncoded(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') throw new EncodedBodyError();
}
