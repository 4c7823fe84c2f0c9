import { Readable } from 'node:stream';
import type { PipeStream } from '../processes/read/pipe-stream.js';

/** The text around the rows of an answer. */
export interface Envelope {
  readonly before: string;
  readonly after?: string;
  /** Bytes at the start of the rows that are left out. */
  readonly skipBytes?: 0 | 1;
}

/**
 * The text of an answer: rows as the engine writes them, in an envelope. `sendText` sends it; what
 * compresses it first reads it as a stream. The read ends with it.
 */
export class AnswerText extends Readable {
  private readonly chunks: AsyncIterator<string | Buffer>;

  constructor(
    readonly rows: PipeStream,
    readonly envelope: Envelope,
  ) {
    super();
    this.chunks = chunksOf(this);
  }

  override _read(): void {
    this.chunks.next().then(
      ({ value, done }) => this.push(done ? null : value),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.rows.destroy();
    callback(error);
  }
}

async function* chunksOf({ rows, envelope }: AnswerText): AsyncGenerator<string | Buffer, void> {
  yield envelope.before;
  let { skipBytes = 0 } = envelope;
  for await (const chunk of rows) {
    yield (chunk as Buffer).subarray(skipBytes);
    skipBytes = 0;
  }
  yield envelope.after ?? '';
}
