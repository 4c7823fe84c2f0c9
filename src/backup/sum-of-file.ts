import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { failpoint } from '../config/failpoint.js';

const CHUNK_BYTES = 2 ** 20;

/** Size of a file and SHA-256 of its content, in hex. */
export interface FileSum {
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Reads a whole file. */
export async function sumOfFile(path: string): Promise<FileSum> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  await failpoint('file-sum');
  await using file = await open(path);
  for await (const chunk of file.createReadStream({ highWaterMark: CHUNK_BYTES, autoClose: false })) {
    hash.update(chunk as Buffer);
    sizeBytes += (chunk as Buffer).length;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}
