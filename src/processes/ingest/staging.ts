import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { ulid } from 'ulid';
import { chunksAtFailpoint, failpoint } from '../../config/failpoint.js';
import { formatSize } from '../../config/units.js';
import { BodyTooLargeError } from '../../http/common.errors.js';
import { chunksOf } from '../../http/request-body.js';
import { ChunkCollector } from './collect-chunks.js';
import { UploadInterruptedError } from './ingest.errors.js';
import { refuseForeign } from './refuse-foreign.js';
import type { StagedFile } from './staged-file.js';
import { unpackGzip } from './unpack-gzip.js';

/** Bytes that may wait for the disk. Chunks that wait for long are only released by a collection
 * of all objects. */
const WRITE_AHEAD_BYTES = 2 * 2 ** 20;

/** Chunks of a quick client after which everything else gets the event loop. */
const CHUNKS_IN_A_ROW = 16;

/** A path in the staging folder that nothing has. */
export function newStagingPath(folder: string, extension: string): string {
  return join(folder, `${ulid()}.${extension}`);
}

/**
 * Makes the staging folder, empty: what it holds when the service starts was left by a process that
 * was killed. Before anything is staged in it.
 */
export async function sweepStaging(folder: string): Promise<void> {
  await failpoint('staging-sweep');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Deletes a file of the staging folder, if it is still there. */
export async function discard({ path }: Pick<StagedFile, 'path'>): Promise<void> {
  await failpoint('staging-delete');
  await rm(path, { force: true });
}

/**
 * Writes chunks into a new file of the staging folder as they arrive, with no more than a few
 * megabytes in memory. On any failure the file is deleted.
 */
export async function stageChunks(chunks: AsyncIterable<Buffer>, folder: string): Promise<StagedFile> {
  const path = newStagingPath(folder, 'upload');
  try {
    await failpoint('staging-open');
    // A stream that opens its file itself could make it after it was destroyed.
    const file = await open(path, 'wx', 0o600);
    const stream = file.createWriteStream({ highWaterMark: WRITE_AHEAD_BYTES });
    await pipeline(chunksAtFailpoint('staging-write', path, chunks), stream);
    return { path, sizeBytes: stream.bytesWritten };
  } catch (error) {
    await discard({ path });
    throw error;
  }
}

/** A body as it was received. */
export interface ReceivedBody {
  readonly stream: Readable;
  /** Whether it is compressed with gzip; false when absent. */
  readonly isGzip?: boolean;
}

/**
 * Writes a whole body, decompressed, into a new file of the staging folder. On any failure the file
 * is deleted and the rest of the stream skipped.
 *
 * @throws what {@link textChunks} throws
 */
export function stageBody(body: ReceivedBody, folder: string, limitBytes: number): Promise<StagedFile> {
  return stageChunks(textChunks(body, limitBytes), folder);
}

/**
 * The chunks of a body of text, decompressed. The limit applies to the body as received and to the
 * decompressed text; decompression stops there.
 *
 * @param gzipAdvice what the sender can do if the body is gzip data without a Content-Encoding.
 * @throws BodyTooLargeError, UploadInterruptedError, InvalidGzipError, ForeignFormatError
 */
export function textChunks(
  { stream, isGzip = false }: ReceivedBody,
  limitBytes: number,
  gzipAdvice?: string,
): AsyncGenerator<Buffer, void, undefined> {
  const received = limitedChunks(stream, limitBytes);
  if (!isGzip) return refuseForeign(received, { name: 'The body', gzipAdvice });
  const text = unpackedChunks(received, limitBytes);
  return refuseForeign(text, { name: 'The decompressed body', gzipAdvice: 'compress it only once' });
}

async function* unpackedChunks(
  packed: AsyncIterable<Buffer>,
  limitBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  const collector = new ChunkCollector();
  let sizeBytes = 0;
  for await (const chunk of unpackGzip(packed)) {
    collector.add(chunk.length);
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) throw new BodyTooLargeError(formatSize(limitBytes), { isDecompressed: true });
    yield chunk;
  }
}

/**
 * The chunks of a body up to a limit.
 *
 * @throws BodyTooLargeError, UploadInterruptedError
 */
export async function* limitedChunks(body: Readable, limitBytes: number): AsyncGenerator<Buffer, void, undefined> {
  const collector = new ChunkCollector();
  let sizeBytes = 0;
  let count = 0;
  for await (const chunk of chunksOf(body, (cause) => new UploadInterruptedError({ cause }))) {
    if (++count % CHUNKS_IN_A_ROW === 0) await setImmediate();
    collector.add(chunk.length);
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) throw new BodyTooLargeError(formatSize(limitBytes));
    yield chunk;
  }
}
