import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stageLines } from './stage-lines.js';
import type { StagedLines } from './staged-file.js';
import { stageChunks } from './staging.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stage-lines-'));
});

afterEach(() => rm(folder, { recursive: true }));

const toFolder = (chunks: AsyncIterable<Buffer>) => stageChunks(chunks, folder);

async function* chunksOf(text: string, chunkBytes: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function stage(chunks: AsyncIterable<Buffer>, segmentBytes: number): Promise<(StagedLines & { text: string })[]> {
  const staged: StagedLines[] = [];
  await stageLines(chunks, toFolder, segmentBytes, async (lines) => void staged.push(lines));
  return Promise.all(staged.map(async (lines) => ({ ...lines, text: await readFile(lines.path, 'utf8') })));
}

describe('stageLines', () => {
  it('cuts a text behind lines, loses nothing, and knows how long a line can be', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r\n', ' ', 'a long word '), maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 50 }),
        async (all, chunk, size) => {
          const segments = await stage(chunksOf(all, chunk), size);
          expect(segments.map((segment) => segment.text).join('')).toBe(all);
          for (const { text: part, sizeBytes, maxLineBytes } of segments) {
            expect(sizeBytes).toBe(Buffer.byteLength(part));
            const longest = Math.max(...part.split(/(?<=\n)/).map((line) => Buffer.byteLength(line)));
            expect(maxLineBytes).toBeGreaterThanOrEqual(longest);
            expect(maxLineBytes).toBeLessThanOrEqual(longest + 2 * chunk);
          }
          for (const { text: part } of segments.slice(0, -1)) expect(part).toMatch(/\n$/);
          if (all !== '') expect(segments.every(({ sizeBytes }) => sizeBytes > 0)).toBe(true);
        },
      ),
    );
  });

  it('makes files of about the size that is asked for', async () => {
    const segments = await stage(chunksOf('0123456\n'.repeat(100), 20), 200);
    expect(segments.map(({ sizeBytes }) => sizeBytes)).toEqual([200, 200, 200, 200]);
  });

  it('distinguishes short lines from a long one within a chunk', async () => {
    const short = '0123456\n'.repeat(5_000);
    const long = `${'x'.repeat(5_000)}\n`;
    const maxLineBytes = async (text: string) => (await stage(chunksOf(text, 50_000), 2 ** 20))[0]?.maxLineBytes;
    expect(await maxLineBytes(short)).toBe(4_096);
    expect(await maxLineBytes(short + long)).toBeGreaterThan(5_000);
    expect(await maxLineBytes(long + short)).toBeGreaterThan(5_000);
    expect(await maxLineBytes(short + long + short)).toBeGreaterThan(5_000);
    expect(await maxLineBytes(short + long.trim())).toBeGreaterThanOrEqual(5_000);
  });

  it('hands out a file before the rest of the text is there', async () => {
    const taken: string[] = [];
    async function* chunks(): AsyncGenerator<Buffer> {
      yield Buffer.from('1\n2\n');
      yield Buffer.from('3\n4');
      expect(taken).toHaveLength(1);
      yield Buffer.from('\n');
    }
    await stageLines(chunks(), toFolder, 4, async ({ path }) => void taken.push(path));
    expect(taken).toHaveLength(2);
  });

  it('hands out one empty file for an empty text', async () => {
    expect(await stage(chunksOf('', 1), 4)).toMatchObject([{ text: '', sizeBytes: 0 }]);
  });

  it('leaves no file of its own when the text breaks off', async () => {
    const taken: string[] = [];
    async function* broken(): AsyncGenerator<Buffer> {
      yield* chunksOf('1\n2\n3\n', 2);
      throw new Error('broken off');
    }
    await expect(stageLines(broken(), toFolder, 4, async ({ path }) => void taken.push(path))).rejects.toThrow(
      'broken off',
    );
    expect((await readdir(folder)).map((name) => join(folder, name))).toEqual(taken);
  });
});
