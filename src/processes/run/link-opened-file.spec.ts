import { type FileHandle, lstat, mkdir, open, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { linkOpenedFile } from './link-opened-file.js';

describe('linkOpenedFile', () => {
  let folder: string;
  let path: string;
  let target: string;
  let file: FileHandle;

  beforeEach(async () => {
    folder = temporaryFolder();
    path = join(folder, 'set/a.csv');
    target = join(folder, 'target.csv');
    for (const place of ['set', 'outside']) {
      await mkdir(join(folder, place));
      await writeFile(join(folder, place, 'a.csv'), place);
    }
    file = await open(path);
  });

  afterEach(async () => {
    await file.close();
  });

  it('makes a hard link, which needs the file open no longer', async () => {
    expect(await linkOpenedFile(file, path, target)).toBe(false);
    expect((await lstat(target)).nlink).toBe(2);
  });

  it.each([
    ['gone', () => rm(path)],
    ['replaced by another', () => rename(join(folder, 'outside/a.csv'), path)],
    [
      'replaced by a symbolic link',
      async () => {
        await rm(path);
        await symlink(join(folder, 'outside/a.csv'), path);
      },
    ],
    [
      'behind a folder that is a symbolic link now',
      async () => {
        await rename(join(folder, 'set'), join(folder, 'old'));
        await symlink(join(folder, 'outside'), join(folder, 'set'));
      },
    ],
  ])('leads to the file that was opened when it is %s', async (_how, change) => {
    await change();
    expect(await linkOpenedFile(file, path, target)).toBe(true);
    expect(await readFile(target, 'utf8')).toBe('set');
  });
});
