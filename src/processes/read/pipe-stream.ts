import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { BufferPool } from './buffer-pool.js';
import { ReadStalledError } from './reader.errors.js';

/**
 * Smaller chunks are copied out of their buffer, so that chunks which wait use little more memory
 * than their bytes.
 */
const MIN_UNCOPIED_BYTES = 48 * 2 ** 10;

/**
 * The bytes that the engine writes into a named pipe, with back-pressure down to the engine. It
 * ends well only when the writer has closed the pipe and the engine has reported success: a text
 * that was cut off never looks complete.
 */
export class PipeStream extends Readable {
  /**
   * Settles when no byte of this stream is left in the pipe: the next stream of the pipe would get
   * it.
   */
  readonly released: Promise<void>;
  private readonly socket: Socket;
  private readonly stallTimer: NodeJS.Timeout;
  /** What the next bytes are read into. */
  private buffer: Buffer;
  /** Whether the consumer has room for more than the engine has written so far. */
  private isEngineAwaited = true;
  private isDrained = false;
  private isDone = false;
  private isSettled = false;

  /**
   * @param buffers what the bytes are read into; see {@link recycle}.
   * @param bufferBytes how much is taken from the engine before the consumer asks for it.
   * @param stallMs how long the engine may take for the next bytes before the stream is destroyed.
   *   A consumer that takes none has all the time that it needs.
   * @param onAbandoned called once if the consumer is gone while the engine still writes.
   */
  constructor(
    path: string,
    private readonly buffers: BufferPool,
    bufferBytes: number,
    stallMs: number,
    private readonly onAbandoned: () => void,
  ) {
    super({ highWaterMark: bufferBytes });
    // Non-blocking: otherwise a thread would wait for the engine to open its end of the pipe.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    this.buffer = buffers.acquire();
    const onread = { buffer: () => this.buffer, callback: (sizeBytes: number) => this.receive(sizeBytes) };
    this.socket = new Socket({ fd, readable: true, writable: false, onread });
    this.socket.pause();
    this.released = new Promise((resolve) => {
      this.socket.once('close', () => {
        this.buffers.release(this.buffer);
        resolve();
      });
    });
    this.stallTimer = setTimeout(() => {
      if (this.isEngineAwaited) this.destroy(new ReadStalledError());
    }, stallMs).unref();
    this.socket.on('end', () => {
      this.isDrained = true;
      this.endWhenWhole();
    });
    this.socket.on('error', (error) => this.destroy(error));
    // A stream without a reader yet must not end the process by its error.
    this.on('error', () => {});
  }

  /** The engine has written everything. */
  succeed(): void {
    this.isDone = true;
    this.endWhenWhole();
    // An abandoned stream is not read to its end.
    if (this.destroyed) this.socket.destroy();
  }

  /** The engine has failed, or is gone. */
  fail(error: Error): void {
    this.isSettled = true;
    this.socket.destroy();
    this.destroy(error);
  }

  /**
   * Releases the memory of a chunk, to read other bytes into it. Only if the chunk is not used any
   * more.
   */
  recycle(chunk: Uint8Array): void {
    this.buffers.release(chunk);
  }

  override _read(): void {
    this.isEngineAwaited = !this.isSettled;
    this.stallTimer.refresh();
    this.socket.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearTimeout(this.stallTimer);
    if (this.isSettled || this.isDone) {
      this.socket.destroy();
    } else {
      // The engine must neither block on a full pipe nor wait for a reader: its bytes are read
      // until it has stopped.
      this.socket.resume();
      this.onAbandoned();
    }
    callback(error);
  }

  /**
   * Passes on the bytes that were read.
   *
   * @returns whether more may be read now.
   */
  private receive(sizeBytes: number): boolean {
    if (this.destroyed) return true;
    this.stallTimer.refresh();
    const chunk = this.buffer.subarray(0, sizeBytes);
    this.isEngineAwaited = this.push(this.detach(chunk));
    return this.isEngineAwaited;
  }

  /** A chunk that stays as it is when further bytes are read. */
  private detach(chunk: Buffer): Buffer {
    if (chunk.length < MIN_UNCOPIED_BYTES) return Buffer.from(chunk);
    this.buffer = this.buffers.acquire();
    return chunk;
  }

  private endWhenWhole(): void {
    if (!this.isDrained || !this.isDone || this.isSettled) return;
    this.isSettled = true;
    this.isEngineAwaited = false;
    this.push(null);
  }
}
