import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { UnreadableBodyError } from '../../http/common.errors.js';
import { DomainError } from '../../http/domain-error.js';
import { DATA_FIELD, refuseForeign } from './refuse-foreign.js';
import type { StagedFile, StagedUpload } from './staged-file.js';
import { discard, stageChunks } from './staging.js';

/**
 * Fields other than `data` are short, except a description, whose characters can have four bytes.
 */
const LIMITS = { fieldSize: 65_536, fields: 16, files: 1, headerPairs: 64, headerSize: 16_384 };

/**
 * Reads a `multipart/form-data` body: the part `data`, sent as a file or as text, is staged, the
 * others are fields.
 *
 * @throws UnreadableBodyError, ForeignFormatError, what the chunks throw; nothing stays staged.
 */
export async function stageMultipart(
  chunks: AsyncIterable<Buffer>,
  contentType: string,
  folder: string,
): Promise<StagedUpload> {
  const form = openForm(contentType);
  const fields = collectFields(form);
  let stopStaging = (_error: unknown) => {};
  let staging: Promise<StagedFile> | undefined;
  form.on('file', (_name: string, file: Readable) => {
    stopStaging = (error) => file.destroy(error as Error);
    // It can fail before it is read, and an error without a listener ends the process.
    file.on('error', () => {});
    staging = stageChunks(refuseForeign(file, DATA_FIELD), folder);
    // Awaited below, after the form has been read.
    staging.catch((error) => form.destroy(error));
  });
  try {
    await pipeline(chunks, form);
    return { fields: Object.fromEntries(fields), data: await staging };
  } catch (error) {
    stopStaging(error);
    await staging?.then(discard, () => {});
    throw toUploadError(error);
  }
}

function openForm(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: LIMITS,
      isPartAFile: (name) => name === 'data',
    });
  } catch {
    throw new UnreadableBodyError();
  }
}

/** Collects the fields. One that is repeated, or cut off by a limit, ends the form. */
function collectFields(form: BusboyInstance): Map<string, string> {
  const fields = new Map<string, string>();
  const refuse = () => form.destroy(new UnreadableBodyError());
  for (const event of ['fieldsLimit', 'filesLimit'] as const) form.on(event, refuse);
  form.on('field', (name, value, isNameTruncated, isValueTruncated) => {
    if (isNameTruncated || isValueTruncated || fields.has(name)) refuse();
    fields.set(name, value);
  });
  return fields;
}

/** The parser throws only if the body is no form; errors of the disk have a code. */
function toUploadError(error: unknown): unknown {
  const isOurs = error instanceof DomainError || typeof (error as NodeJS.ErrnoException).code === 'string';
  return isOurs ? error : new UnreadableBodyError();
}
