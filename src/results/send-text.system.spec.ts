import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, openSync } from 'node:fs';
import { type AddressInfo, connect, Socket } from 'node:net';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { BufferPool } from '../processes/read/buffer-pool.js';
import { PipeStream } from '../processes/read/pipe-stream.js';
import { AnswerText } from './answer-text.js';
import { sendPlainTexts } from './send-text.js';

const LETTERS = ['a', 'b', 'c'];
/** As much as a pipe holds, so that each buffer of the pool is used whole. */
const BLOCK_BYTES = 64 * 2 ** 10;
/** More than the buffers of a connection hold. */
const BLOCKS = 150;

describe('sendText', () => {
  const buffers = new BufferPool();
  let server: FastifyInstance;
  let pipes: string[];

  beforeAll(async () => {
    const folder = temporaryFolder();
    pipes = Array.from({ length: 3 * LETTERS.length }, (_, index) => join(folder, `pipe-${index}`));
    execFileSync('mkfifo', pipes);
    server = fastify({ forceCloseConnections: true });
    sendPlainTexts(server);
    server.get<{ Params: { letter: string; end: string } }>('/:letter/:end', async ({ params }) => {
      const rows = openRows(params.letter, params.end);
      return new AnswerText(rows, { before: `<${params.letter}>`, after: '</>', skipBytes: 1 });
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.close());

  /** Rows of one letter from a pipe of their own, all with buffers of the same pool. */
  function openRows(letter: string, end: string): PipeStream {
    const path = pipes.pop() ?? '';
    const rows = new PipeStream(path, buffers, 256 * 2 ** 10, 60_000, () => pipe.destroy());
    const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    const pipe = new Socket({ fd, readable: false, writable: true });
    const blocks = Array.from({ length: end === 'fails' ? BLOCKS / 2 : BLOCKS }, () =>
      Buffer.alloc(BLOCK_BYTES, letter),
    );
    pipeline(Readable.from(blocks), pipe, () => (end === 'fails' ? rows.fail(new Error('broken')) : rows.succeed()));
    return rows;
  }

  /** Begins a call; the head of its answer is left out. */
  function open(path: string): Socket {
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.0\r\n\r\n`);
    return socket;
  }

  /** Reads an answer, from the moment that others have ended on. */
  async function read(path: string, others?: Promise<unknown>): Promise<string> {
    const chunks: Buffer[] = [];
    const socket = open(path).on('error', () => {});
    await others;
    socket.on('data', (chunk) => chunks.push(chunk));
    await once(socket, 'close');
    return Buffer.concat(chunks)
      .toString('latin1')
      .replace(/^.*?\r\n\r\n/s, '');
  }

  async function leave(path: string): Promise<void> {
    const socket = open(path);
    await once(socket, 'data');
    socket.resetAndDestroy();
  }

  it('sends each of many readers its own rows only, whoever reads late, leaves, or meets an error', async () => {
    const failing = LETTERS.map((letter) => read(`/${letter}/fails`));
    const others = Promise.all([...failing, ...LETTERS.map((letter) => leave(`/${letter}/whole`))]);
    const whole = await Promise.all(LETTERS.map((letter) => read(`/${letter}/whole`, others)));
    const failed = await Promise.all(failing);
    for (const [index, letter] of LETTERS.entries()) {
      expect(whole[index] === `<${letter}>${letter.repeat(BLOCKS * BLOCK_BYTES - 1)}</>`).toBe(true);
      expect(failed[index]).toMatch(new RegExp(`^<${letter}>${letter}*$`));
    }
  });
});
