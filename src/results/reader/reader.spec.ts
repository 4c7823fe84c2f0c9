import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { findChildren } from '../../../test/support/child-processes.js';
import { loadConfig } from '../../config/load-config.js';
import { readExactly, TextStream } from '../text-stream.js';
import { ReaderClosedError, ReaderLostError, ReadFailedError, ReadStalledError } from './reader.errors.js';
import { Reader } from './reader.js';
import type { CopyStatement } from './reader-messages.js';

const ROWS = 3_000_000;
/** The digits of 0 to 2,999,999, and a newline for each: more than the buffers on the way hold. */
const BYTES = ROWS * 8 - 1_111_110;
/** More than one child reads at the same time. */
const MANY = 15;

const LONG = copyOf(`SELECT range FROM range(${ROWS})`);
const SHORT = copyOf('SELECT 42');
const BROKEN_MIDWAY = copyOf(
  `SELECT CASE WHEN range < 2900000 THEN range ELSE error('broken') END FROM range(${ROWS})`,
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

  /** Begins to read a whole text. */
  const stream = (statement: CopyStatement) => reader.read('whole', statement, async (text) => text);

  function killChild(): void {
    for (const pid of findChildren('read.child.cjs')) process.kill(pid, 'SIGKILL');
  }

  it('gives the whole text, however slowly it is taken', async () => {
    await open();
    const text = await stream(LONG);
    const first = await reader.read('page', SHORT, toText);
    expect(first).toBe('42\n');
    expect(await countBytes(text)).toBe(BYTES);
  });

  it('reads further pages while more clients than it has pipes take nothing of theirs', async () => {
    await open();
    const page = copyOf('SELECT range FROM range(100000)');
    const begin = async (text: Readable) => ({ text, first: await readExactly(text, 2) });
    const untaken = await Promise.all(Array.from({ length: MANY }, () => reader.read('page', page, begin)));
    expect(await reader.read('page', SHORT, toText)).toBe('42\n');
    for (const { text } of untaken) text.destroy();
  });

  it('tells of an error before the first byte', async () => {
    await open();
    await expect(stream(copyOf('SELECT missing'))).rejects.toBeInstanceOf(ReadFailedError);
    expect(await reader.read('page', SHORT, toText)).toBe('42\n');
  });

  it('ends a text with an error that comes in the middle of it', async () => {
    await open({ READER_THREADS: '1' });
    const text = await stream(BROKEN_MIDWAY);
    await expect(countBytes(text)).rejects.toBeInstanceOf(ReadFailedError);
    expect(await reader.read('whole', SHORT, toText)).toBe('42\n');
  });

  it('does not read into memory that another stream still holds', async () => {
    await open();
    const numbers = await stream(copyOf('SELECT range FROM range(300000)'));
    // It says that it has taken a chunk as soon as it keeps it.
    const holding = new PassThrough({ highWaterMark: BYTES });
    const held = new TextStream(numbers, { before: '' }).pipe(holding);
    await once(held, 'finish');
    for (let count = 0; count < 3; count++) await countBytes(await stream(LONG));
    const text = Array.from({ length: 300_000 }, (_, number) => `${number}\n`).join('');
    expect((await toText(held)) === text).toBe(true);
  });

  it('stops what nobody takes any more, and has room again', async () => {
    await open();
    for (let count = 0; count < MANY; count++) (await stream(LONG)).destroy();
    const texts = await Promise.all(Array.from({ length: MANY }, () => reader.read('whole', SHORT, toText)));
    expect(texts).toEqual(Array.from({ length: MANY }, () => '42\n'));
  });

  it('stops a read that stands still for READ_TIMEOUT, in the engine or at its client', async () => {
    await open({ READ_TIMEOUT: '500ms' });
    await expect(reader.read('page', SILENT, toText)).rejects.toBeInstanceOf(ReadStalledError);
    const untaken = await stream(LONG);
    await expect(new Promise((_, reject) => untaken.once('error', reject))).rejects.toBeInstanceOf(ReadStalledError);
  });

  it('tries a read once more whose process died before the answer could begin', async () => {
    await open();
    let tries = 0;
    const text = await reader.read('page', LONG, async (lines) => {
      tries++;
      if (tries === 1) killChild();
      return countBytes(lines);
    });
    expect({ text, tries }).toEqual({ text: BYTES, tries: 2 });
  });

  it('gives a read up whose process died twice, and the next one finds another', async () => {
    await open();
    const lost = reader.read('page', LONG, (lines) => {
      killChild();
      return countBytes(lines);
    });
    await expect(lost).rejects.toBeInstanceOf(ReaderLostError);
    expect(await reader.read('page', SHORT, toText)).toBe('42\n');
  });

  it('breaks texts off that are being taken when it is closed, and refuses those that wait', async () => {
    await open();
    const texts = await Promise.all(Array.from({ length: 12 }, () => stream(LONG)));
    const waiting = stream(SHORT);
    const refused = expect(waiting).rejects.toBeInstanceOf(ReaderClosedError);
    const broken = texts.map((text) => expect(countBytes(text)).rejects.toBeInstanceOf(ReaderLostError));
    await reader.onApplicationShutdown();
    await Promise.all([refused, ...broken]);
    await expect(stream(SHORT)).rejects.toBeInstanceOf(ReaderClosedError);
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
