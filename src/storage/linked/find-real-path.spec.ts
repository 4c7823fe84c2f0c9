import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { findRealPath } from './find-real-path.js';

describe('findRealPath', () => {
  let folder: string;

  beforeEach(async () => {
    folder = temporaryFolder();
    await writeFile(join(folder, 'a.csv'), '');
  });

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
