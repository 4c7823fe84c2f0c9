import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { stageSegments } from './stage-segments.js';
import type { StagedFile } from './staged-file.js';

let folder: string;

beforeEach(async () => {
  folder = temporaryFolder();
});

async function* chunksOf(text: string, chunkBytes: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function stage(chunks: AsyncIterable<Buffer>, segmentBytes: number): Promise<(StagedFile & { text: string })[]> {
  const staged: StagedFile[] = [];
  for await (const segment of stageSegments(chunks, folder, segmentBytes)) staged.push(segment);
  return Promise.all(staged.map(async (segment) => ({ ...segment, text: await readFile(segment.path, 'utf8') })));
}

describe('stageSegments', () => {
  it('cuts a text after lines, and loses nothing', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r\n', ' ', 'a long word '), maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 50 }),
        async (all, chunk, size) => {
          const segments = await stage(chunksOf(all, chunk), size);
          expect(segments.map((segment) => segment.text).join('')).toBe(all);
          for (const { text: part, sizeBytes } of segments) expect(sizeBytes).toBe(Buffer.byteLength(part));
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

  it('yields a segment before the rest of the text is there', async () => {
    let count = 0;
    async function* chunks(): AsyncGenerator<Buffer> {
      yield Buffer.from('1\n2\n');
      yield Buffer.from('3\n4');
      expect(count).toBe(1);
      yield Buffer.from('\n');
    }
    for await (const _segment of stageSegments(chunks(), folder, 4)) count++;
    expect(count).toBe(2);
  });

  it('yields one empty segment for an empty text', async () => {
    expect(await stage(chunksOf('', 1), 4)).toMatchObject([{ text: '', sizeBytes: 0 }]);
  });

  it('leaves no file of its own when the text breaks off', async () => {
    const yielded: string[] = [];
    async function* broken(): AsyncGenerator<Buffer> {
      yield* chunksOf('1\n2\n3\n', 2);
      throw new Error('broken off');
    }
    const staging = async () => {
      for await (const { path } of stageSegments(broken(), folder, 4)) yielded.push(path);
    };
    await expect(staging()).rejects.toThrow('broken off');
    expect((await readdir(folder)).map((name) => join(folder, name))).toEqual(yielded);
  });
});
