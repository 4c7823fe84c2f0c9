import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { ContentError } from './content-error.js';

/** The bytes of a file, from the first on. */
export interface ByteSource {
  /** Reads at most this many bytes to an offset of a buffer; 0 at the end of the file. */
  read(buffer: Buffer, offset: number, length: number): Promise<number>;
  close(): Promise<void>;
}

/** Opens a file; one whose name ends in `.gz` is unpacked. */
export async function openBytes(path: string): Promise<ByteSource> {
  if (/\.gz$/i.test(path)) return new UnpackedBytes(path);
  const file = await open(path);
  return {
    read: async (buffer, offset, length) => (await file.read(buffer, offset, length)).bytesRead,
    close: () => file.close(),
  };
}

class UnpackedBytes implements ByteSource {
  readonly #stream;
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(path: string) {
    const packed = createReadStream(path);
    this.#stream = packed.pipe(createGunzip());
    packed.on('error', (error) => this.#stream.destroy(error));
    this.#stream.on('close', () => packed.destroy());
    this.#chunks = this.#stream[Symbol.asyncIterator]();
  }

  async read(buffer: Buffer, offset: number, length: number): Promise<number> {
    if (this.#rest.length === 0) this.#rest = await this.#next();
    const count = this.#rest.copy(buffer, offset, 0, Math.min(length, this.#rest.length));
    this.#rest = this.#rest.subarray(count);
    return count;
  }

  async close(): Promise<void> {
    this.#stream.destroy();
  }

  async #next(): Promise<Buffer> {
    try {
      const { done, value } = await this.#chunks.next();
      return done ? Buffer.alloc(0) : value;
    } catch (error) {
      if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error;
      throw new ContentError({ code: 'unreadable_files', message: 'its gzip data is damaged or cut off', details: {} });
    }
  }
}
