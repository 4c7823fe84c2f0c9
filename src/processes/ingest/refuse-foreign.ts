import { FORMAT_HEAD_BYTES, findForeignFormat } from './foreign-format.js';
import { ForeignFormatError } from './ingest.errors.js';

/** What the sender calls a text. */
export interface TextSource {
  /** The subject of an error message. */
  readonly name: string;
  /** What the sender can do if the text is gzip data. */
  readonly gzipAdvice?: string;
}

/** The field `data` of a body of several fields. */
export const DATA_FIELD: TextSource = {
  name: 'data',
  gzipAdvice: 'send it as the body, with Content-Type: text/csv and Content-Encoding: gzip',
};

/**
 * Yields the chunks of a text.
 *
 * @throws ForeignFormatError if its first bytes are those of another format.
 */
export async function* refuseForeign(
  chunks: AsyncIterable<Buffer>,
  { name, gzipAdvice }: TextSource,
): AsyncGenerator<Buffer, void, undefined> {
  let head = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head.length < FORMAT_HEAD_BYTES) {
      head = Buffer.concat([head, chunk.subarray(0, FORMAT_HEAD_BYTES - head.length)]);
      const format = findForeignFormat(head);
      if (format) throw new ForeignFormatError(name, format.name, (format.isGzip && gzipAdvice) || format.advice);
    }
    yield chunk;
  }
}
