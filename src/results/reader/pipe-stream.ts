import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ReadStalledError } from './reader.errors.js';

/**
 * The bytes that the engine writes into a named pipe, with back-pressure down to the engine. It ends well only when the writer has closed
 * the pipe and the engine has said that it is done: a text that was cut off is never taken for a whole one.
 */
export class PipeStream extends Readable {
  /** Settles when nothing of this stream is in the pipe any more: until then, whoever opened it next would get its bytes. */
  readonly released: Promise<void>;
  private readonly socket: Socket;
  private readonly stallTimer: NodeJS.Timeout;
  private isDrained = false;
  private isDone = false;
  private isSettled = false;

  /**
   * @param bufferBytes how much is taken from the engine before the consumer asks for it.
   * @param stallMs how long no byte may pass before the stream is destroyed.
   * @param onAbandoned called once if the consumer is gone while the engine still writes.
   */
  constructor(
    path: string,
    bufferBytes: number,
    stallMs: number,
    private readonly onAbandoned: () => void,
  ) {
    super({ highWaterMark: bufferBytes });
    // Non-blocking: an ordinary open of a pipe would wait in a thread for the engine to open its end.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    this.socket = new Socket({ fd, readable: true, writable: false });
    this.socket.pause();
    this.released = new Promise((resolve) => this.socket.once('close', () => resolve()));
    this.stallTimer = setTimeout(() => this.destroy(new ReadStalledError()), stallMs).unref();
    this.socket.on('data', (chunk) => this.forward(chunk));
    this.socket.on('end', () => {
      this.isDrained = true;
      this.endWhenWhole();
    });
    this.socket.on('error', (error) => this.destroy(error));
    // Whoever reads the stream hears of an error; that nobody does yet must not end the process.
    this.on('error', () => {});
  }

  /** The engine has written everything. */
  succeed(): void {
    this.isDone = true;
    this.endWhenWhole();
    // Nobody reads an abandoned stream to its end.
    if (this.destroyed) this.socket.destroy();
  }

  /** The engine has failed, or is gone. */
  fail(error: Error): void {
    this.isSettled = true;
    this.socket.destroy();
    this.destroy(error);
  }

  override _read(): void {
    this.socket.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearTimeout(this.stallTimer);
    if (this.isSettled || this.isDone) {
      this.socket.destroy();
    } else {
      // The engine must not block on a full pipe, nor wait for a reader: take what it writes until it has stopped.
      this.socket.resume();
      this.onAbandoned();
    }
    callback(error);
  }

  private forward(chunk: Buffer | string): void {
    if (this.destroyed) return;
    this.stallTimer.refresh();
    if (!this.push(chunk)) this.socket.pause();
  }

  private endWhenWhole(): void {
    if (!this.isDrained || !this.isDone || this.isSettled) return;
    this.isSettled = true;
    this.push(null);
  }
}
