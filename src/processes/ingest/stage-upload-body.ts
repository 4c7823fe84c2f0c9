import { JsonBodyParser } from './json-body/json-body-parser.js';
import { DATA_FIELD, refuseForeign } from './refuse-foreign.js';
import { stageMultipart } from './stage-multipart.js';
import type { StagedUpload } from './staged-file.js';
import { discard, type ReceivedBody, stageBody, stageChunks, textChunks } from './staging.js';

/** The body of an upload request, unread, and what stands beside it. */
export interface UploadBody extends ReceivedBody {
  /** The header of that name. */
  readonly contentType: string | undefined;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Fields that may stand in the query string with any body. */
const TEXT_FIELDS = ['delimiter', 'column_names'];

const GZIP_ADVICE = 'send it with Content-Encoding: gzip, and with Content-Type: text/csv if it is a CSV file';

/**
 * Reads the body of an upload and stages its CSV text, in bounded memory. The body is a JSON object
 * with any Content-Type except `text/csv` (with the other fields in the query string) and
 * `multipart/form-data`.
 *
 * @throws UnreadableBodyError, InvalidRequestError, what {@link textChunks} throws; nothing stays
 *   staged.
 */
export async function stageUploadBody(body: UploadBody, folder: string, limitBytes: number): Promise<StagedUpload> {
  const mediaType = body.contentType?.split(';')[0]?.trim().toLowerCase();
  if (mediaType === 'text/csv') return { fields: body.query, data: await stageBody(body, folder, limitBytes) };
  const chunks = textChunks(body, limitBytes, GZIP_ADVICE);
  const { fields, data } =
    mediaType === 'multipart/form-data'
      ? await stageMultipart(chunks, body.contentType ?? '', folder)
      : await stageJson(chunks, folder);
  const beside = Object.entries(body.query).filter(([name]) => TEXT_FIELDS.includes(name));
  return { fields: { ...Object.fromEntries(beside), ...fields }, ...(data && { data }) };
}

async function stageJson(chunks: AsyncIterable<Buffer>, folder: string): Promise<StagedUpload> {
  const texts: Buffer[] = [];
  const parser = new JsonBodyParser((text) => texts.push(text));
  let fields: Record<string, unknown> = {};
  async function* unescaped(): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of chunks) {
      parser.write(chunk);
      yield* texts.splice(0);
    }
    fields = parser.end();
  }
  const data = await stageChunks(refuseForeign(unescaped(), DATA_FIELD), folder);
  if (parser.hasData) return { fields, data };
  await discard(data);
  return { fields };
}
