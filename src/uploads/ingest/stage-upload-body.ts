import type { Readable } from 'node:stream';
import { JsonBodyParser } from './json-body/json-body-parser.js';
import { stageMultipart } from './stage-multipart.js';
import type { StagedUpload } from './staged-file.js';
import { discard, limitedChunks, stageBody, stageChunks } from './staging.js';

/** The body of an upload request, unread, and what stands beside it. */
export interface UploadBody {
  readonly stream: Readable;
  /** The header of that name. */
  readonly contentType: string | undefined;
  readonly query: Readonly<Record<string, unknown>>;
}

/**
 * Reads the body of an upload and stages its CSV text, in bounded memory: a JSON object whatever the Content-Type says, save `text/csv`
 * (with the other fields in the query string) and `multipart/form-data`.
 *
 * @throws UnreadableBodyError, InvalidRequestError, BodyTooLargeError, UploadInterruptedError; nothing is left staged then.
 */
export async function stageUploadBody(body: UploadBody, folder: string, limitBytes: number): Promise<StagedUpload> {
  const mediaType = body.contentType?.split(';')[0]?.trim().toLowerCase();
  if (mediaType === 'text/csv') return { fields: body.query, data: await stageBody(body.stream, folder, limitBytes) };
  if (mediaType === 'multipart/form-data')
    return stageMultipart(body.stream, body.contentType ?? '', folder, limitBytes);
  return stageJson(body.stream, folder, limitBytes);
}

async function stageJson(body: Readable, folder: string, limitBytes: number): Promise<StagedUpload> {
  const texts: Buffer[] = [];
  const parser = new JsonBodyParser((text) => texts.push(text));
  let fields: Record<string, unknown> = {};
  async function* unescaped(): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of limitedChunks(body, limitBytes)) {
      parser.write(chunk);
      yield* texts.splice(0);
    }
    fields = parser.end();
  }
  const data = await stageChunks(unescaped(), folder);
  if (parser.hasData) return { fields, data };
  await discard(data);
  return { fields };
}
