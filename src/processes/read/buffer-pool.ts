/** As much as a pipe holds, so that one read can empty it. */
const BUFFER_BYTES = 64 * 2 ** 10;
/** Buffers that are kept for later use. */
const MAX_FREE = 128;

/**
 * Buffers that are reused instead of being collected: at hundreds of megabytes a second, their
 * garbage would cost more than moving the bytes does.
 */
export class BufferPool {
  private readonly free: ArrayBuffer[] = [];
  private readonly inUse = new WeakSet<ArrayBufferLike>();

  /**
   * Returns a buffer that has no other user. One that is never released is collected like any
   * other.
   */
  acquire(): Buffer {
    const memory = this.free.pop() ?? new ArrayBuffer(BUFFER_BYTES);
    this.inUse.add(memory);
    return Buffer.from(memory);
  }

  /**
   * Releases the buffer that a chunk is a part of, once no byte of it will be read again. Other
   * buffers are left alone.
   */
  release({ buffer }: Uint8Array): void {
    if (this.inUse.delete(buffer) && this.free.length < MAX_FREE) this.free.push(buffer as ArrayBuffer);
  }
}
