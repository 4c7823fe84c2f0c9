/** As much as a pipe holds, so that one read can empty it. */
const BUFFER_BYTES = 64 * 2 ** 10;
/** Buffers that are kept when nobody needs them. */
const MAX_FREE = 128;

/**
 * Buffers that are used again instead of being collected: at hundreds of megabytes a second their garbage would cost more than moving
 * the bytes does.
 */
export class BufferPool {
  private readonly free: ArrayBuffer[] = [];
  private readonly lent = new WeakSet<ArrayBufferLike>();

  /** Lends a buffer that nobody else has. One that is never given back is collected like any other. */
  take(): Buffer {
    const memory = this.free.pop() ?? new ArrayBuffer(BUFFER_BYTES);
    this.lent.add(memory);
    return Buffer.from(memory);
  }

  /** Takes back the buffer that a chunk is a part of, once no byte of it will be read again. What was not lent here is left alone. */
  give({ buffer }: Uint8Array): void {
    if (this.lent.delete(buffer) && this.free.length < MAX_FREE) this.free.push(buffer as ArrayBuffer);
  }
}
