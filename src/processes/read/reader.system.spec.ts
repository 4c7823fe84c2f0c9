import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { findChildren } from '../../../test/support/child-processes.js';
import { until } from '../../../test/support/until.js';
import { loadConfig } from '../../config/load-config.js';
import { AnswerText } from '../../results/answer-text.js';
import { readExactly, untilBegun } from '../../results/read-text.js';
import { PoolClosedError } from '../pool/process-pool.js';
import type { PipeStream } from './pipe-stream.js';
import {
  ClientGoneError,
  ReaderDiedError,
  ReadersBusyError,
  ReadFailedError,
  ReadStalledError,
} from './reader.errors.js';
import { Reader } from './reader.js';
import type { CopyStatement, PriorityClass } from './reader-messages.js';
import type { ReadingClient } from './reading-client.js';

const ROWS = 1_500_000;
/** The digits of 0 to 1,499,999, and a newline for each: more than the buffers on the way hold. */
const BYTES = ROWS * 8 - 1_111_110;
/** More than one child reads at the same time. */
const MANY = 15;
/** Reads of one account that one child does at the same time. */
const SHARES = { interactive: 4, bulk: 6 };
const ADA: ReadingClient = { accountId: 'ada', gone: new AbortController().signal };
const BOB: ReadingClient = { ...ADA, accountId: 'bob' };

const LONG = copyOf(`SELECT range FROM range(${ROWS})`);
const SHORT = copyOf('SELECT 42');
const BROKEN_MIDWAY = copyOf(
  `SELECT CASE WHEN range < 1400000 THEN range ELSE error('broken') END FROM range(${ROWS})`,
);
const SILENT = copyOf('SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range * b.range = -1');

function copyOf(text: string): CopyStatement {
  return { text, values: [], options: 'FORMAT csv, HEADER false' };
}

describe('Reader', () => {
  let dataDir: string;
  let reader: Reader;

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'reader-'));
  });
  afterEach(async () => {
    await reader.onApplicationShutdown();
    expect(findChildren('read.child.cjs')).toEqual([]);
    expect(await readdir(join(dataDir, 'readers')).catch(() => [])).toEqual([]);
    await rm(dataDir, { recursive: true });
  });

  async function open(settings: Record<string, string> = {}): Promise<void> {
    const small = {
      WORKERS: '1',
      WORKER_MEMORY: '128MB',
      READERS: '1',
      READER_MEMORY: '256MB',
      UPLOADER_MEMORY: '64MB',
    };
    reader = new Reader(loadConfig({ ...small, ...settings, DATA_DIR: dataDir }));
    await reader.onApplicationBootstrap();
  }

  function read<T>(
    priority: PriorityClass,
    statement: CopyStatement,
    begin: (text: PipeStream) => Promise<T>,
    client: Partial<ReadingClient> = {},
  ): Promise<T> {
    return reader.read({ priority, statement, client: { ...ADA, ...client } }, begin);
  }

  /** Begins to read a whole text. */
  const stream = (statement: CopyStatement, client: Partial<ReadingClient> = {}) =>
    read('bulk', statement, async (text) => text, client);

  function killChild(): void {
    for (const pid of findChildren('read.child.cjs')) process.kill(pid, 'SIGKILL');
  }

  it('gives the whole text, however slowly it is taken', async () => {
    await open();
    const text = await stream(LONG);
    const first = await read('interactive', SHORT, toText);
    expect(first).toBe('42\n');
    expect(await countBytes(text)).toBe(BYTES);
  });

  it('reads further pages while more clients than it has pipes take nothing of theirs', async () => {
    await open();
    const page = copyOf('SELECT range FROM range(100000)');
    const begin = async (text: Readable) => ({ text, first: await readExactly(text, 2) });
    const untaken = await Promise.all(Array.from({ length: MANY }, () => read('interactive', page, begin)));
    expect(await read('interactive', SHORT, toText)).toBe('42\n');
    for (const { text } of untaken) text.destroy();
  });

  it('reports an error before the first byte', async () => {
    await open();
    await expect(stream(copyOf('SELECT missing'))).rejects.toBeInstanceOf(ReadFailedError);
    expect(await read('interactive', SHORT, toText)).toBe('42\n');
  });

  it('ends a text with an error that comes in the middle of it', async () => {
    await open({ READER_THREADS: '1' });
    const text = await stream(BROKEN_MIDWAY);
    await expect(countBytes(text)).rejects.toBeInstanceOf(ReadFailedError);
    expect(await read('bulk', SHORT, toText)).toBe('42\n');
  });

  it('does not read into memory that another stream still holds', async () => {
    await open();
    const numbers = await stream(copyOf('SELECT range FROM range(300000)'));
    // It reports a chunk as used as soon as it keeps it.
    const holding = new PassThrough({ highWaterMark: BYTES });
    const held = new AnswerText(numbers, { before: '' }).pipe(holding);
    await once(held, 'finish');
    for (let count = 0; count < 3; count++) await countBytes(await stream(LONG));
    const text = Array.from({ length: 300_000 }, (_, number) => `${number}\n`).join('');
    expect((await toText(held)) === text).toBe(true);
  });

  it('stops what nobody takes any more, and has room again', async () => {
    await open();
    for (let count = 0; count < MANY; count++) (await stream(LONG)).destroy();
    const texts = await Promise.all(Array.from({ length: MANY }, () => read('bulk', SHORT, toText)));
    expect(texts).toEqual(Array.from({ length: MANY }, () => '42\n'));
  });

  it('stops a read for which the engine writes nothing within READ_TIMEOUT', async () => {
    await open({ READ_TIMEOUT: '500ms' });
    await expect(read('interactive', SILENT, toText)).rejects.toBeInstanceOf(ReadStalledError);
  });

  it.each(['interactive', 'bulk'] as const)(
    'gives a client that takes nothing for longer than READ_TIMEOUT the whole text: %s',
    async (priority) => {
      await open({ READ_TIMEOUT: '2s' });
      const untaken = await read(priority, LONG, async (text) => {
        await untilBegun(text);
        await until(() => text.readableLength >= text.readableHighWaterMark);
        return text;
      });
      await expect(read('interactive', SILENT, toText)).rejects.toBeInstanceOf(ReadStalledError);
      expect(await countBytes(untaken)).toBe(BYTES);
    },
  );

  it.each(['interactive', 'bulk'] as const)(
    'leaves slots for others, however many reads one account begins and does not take: %s',
    async (priority) => {
      await open({ READ_QUEUE_TIMEOUT: '60s' });
      const began = new Set<PipeStream>();
      const attack = Array.from({ length: 30 }, () =>
        read(priority, LONG, async (text) => began.add(text)).catch((error: unknown) => error),
      );
      await until(() => began.size === SHARES[priority]);
      expect(await read(priority, SHORT, toText, BOB)).toBe('42\n');
      expect(began.size).toBe(SHARES[priority]);
      await reader.onApplicationShutdown();
      await Promise.all(attack);
    },
  );

  it('refuses a read for which no slot is free within READ_QUEUE_TIMEOUT, with the time to try again after', async () => {
    await open({ READ_QUEUE_TIMEOUT: '1200ms' });
    const texts = await Promise.all(Array.from({ length: SHARES.bulk }, () => stream(LONG)));
    const refused = await stream(SHORT).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ReadersBusyError);
    expect(refused).toMatchObject({ kind: 'unavailable', code: 'readers_busy', retryAfterSeconds: 2 });
    for (const text of texts) text.destroy();
    expect(await read('bulk', SHORT, toText)).toBe('42\n');
  });

  it('forgets a read whose client is gone, while it waits and while the engine works for it', async () => {
    await open({ READ_QUEUE_TIMEOUT: '60s' });
    const gone = new AbortController();
    const silent = Array.from({ length: SHARES.interactive }, () =>
      read('interactive', SILENT, toText, { gone: gone.signal }),
    );
    const waiting = read('interactive', SHORT, toText, { gone: gone.signal });
    const late = read('interactive', SHORT, toText);
    gone.abort();
    for (const one of [...silent, waiting]) await expect(one).rejects.toBeInstanceOf(ClientGoneError);
    expect(await late).toBe('42\n');
    await expect(stream(SHORT, { gone: gone.signal })).rejects.toBeInstanceOf(ClientGoneError);
  });

  it('tries a read once more whose process died before the answer could begin', async () => {
    await open();
    let tries = 0;
    const text = await read('interactive', LONG, async (lines) => {
      tries++;
      if (tries === 1) killChild();
      return countBytes(lines);
    });
    expect({ text, tries }).toEqual({ text: BYTES, tries: 2 });
  });

  it('gives a read up whose process died twice, and the next one finds another', async () => {
    await open();
    const lost = read('interactive', LONG, (lines) => {
      killChild();
      return countBytes(lines);
    });
    await expect(lost).rejects.toBeInstanceOf(ReaderDiedError);
    expect(await read('interactive', SHORT, toText)).toBe('42\n');
  });

  it('breaks texts off that are being taken when it is closed, and refuses those that wait', async () => {
    await open();
    const texts = await Promise.all(Array.from({ length: SHARES.bulk }, () => stream(LONG)));
    const waiting = stream(SHORT);
    const refused = expect(waiting).rejects.toBeInstanceOf(PoolClosedError);
    const broken = texts.map((text) => expect(countBytes(text)).rejects.toBeInstanceOf(ReaderDiedError));
    await reader.onApplicationShutdown();
    await Promise.all([refused, ...broken]);
    await expect(stream(SHORT)).rejects.toBeInstanceOf(PoolClosedError);
  });
});

async function toText(text: Readable): Promise<string> {
  let all = '';
  for await (const chunk of text) all += String(chunk);
  return all;
}

async function countBytes(text: Readable): Promise<number> {
  let bytes = 0;
  for await (const chunk of text) bytes += (chunk as Buffer).length;
  return bytes;
}
