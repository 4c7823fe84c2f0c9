import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findRealPath } from './find-real-path.js';

describe('findRealPath', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'real-path-')));
    await writeFile(join(folder, 'a.csv'), '');
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('follows symbolic links', async () => {
    await symlink(join(folder, 'a.csv'), join(folder, 'b.csv'));
    expect(await findRealPath(join(folder, 'b.csv'))).toBe(join(folder, 'a.csv'));
  });

  it('finds nothing where a file or its folder is gone', async () => {
    expect(await findRealPath(join(folder, 'gone.csv'))).toBeUndefined();
    expect(await findRealPath(join(folder, 'a.csv', 'gone.csv'))).toBeUndefined();
  });

  it('refuses links that go round, without telling where', async () => {
    await symlink(join(folder, 'round.csv'), join(folder, 'round.csv'));
    await expect(findRealPath(join(folder, 'round.csv'))).rejects.toMatchObject({
      code: 'link_refused',
      message: 'The files cannot be linked: a file cannot be found (ELOOP)',
    });
  });
});
