import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ReusedFiles } from './reused-files.js';

let folder: string;
let files: ReusedFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reused-files-'));
  files = new ReusedFiles(folder);
});

afterEach(() => rm(folder, { recursive: true }));

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

describe('ReusedFiles', () => {
  it.each(['short', 'as long as it was', 'longer than the text that it held before'])(
    'writes a file that was given back again, %s',
    async (text) => {
      const first = await files.stage(chunksOf('as long as', ' it was'));
      files.giveBack(first);
      const second = await files.stage(chunksOf(text));
      expect(second).toEqual({ path: first.path, sizeBytes: text.length });
      await expect(readFile(second.path, 'utf8')).resolves.toBe(text);
    },
  );

  it('never writes a file that is in use', async () => {
    const first = await files.stage(chunksOf('first'));
    const second = await files.stage(chunksOf('second'));
    files.giveBack(first);
    const third = await files.stage(chunksOf('third'));
    const fourth = await files.stage(chunksOf('fourth'));
    expect(new Set([second.path, third.path, fourth.path]).size).toBe(3);
    await expect(readFile(second.path, 'utf8')).resolves.toBe('second');
  });

  it('deletes a file when it cannot be written again', async () => {
    files.giveBack(await files.stage(chunksOf('first')));
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from('second');
      throw new Error('The client is gone');
    }
    await expect(files.stage(broken())).rejects.toThrow('The client is gone');
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  it('deletes what was given back, and nothing else', async () => {
    const used = await files.stage(chunksOf('used'));
    files.giveBack(await files.stage(chunksOf('free')));
    await files.discard();
    await expect(readdir(folder)).resolves.toEqual([used.path.slice(folder.length + 1)]);
  });
});
