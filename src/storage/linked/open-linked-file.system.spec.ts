import { execFile } from 'node:child_process';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { openLinkedFile } from './open-linked-file.js';

describe('openLinkedFile', () => {
  let folder: string;
  let root: string;
  let path: string;

  beforeEach(async () => {
    folder = temporaryFolder();
    root = join(folder, 'root');
    path = join(root, 'set', 'a.csv');
    for (const [name, text] of [
      ['root/set', 'inside'],
      ['outside', 'outside'],
    ] as const) {
      await mkdir(join(folder, name), { recursive: true });
      await writeFile(join(folder, name, 'a.csv'), text);
    }
  });

  const open = () => openLinkedFile(path, { roots: [root], dataFolders: [] });
  const refusal = (reason: string) => ({ code: 'link_refused', message: expect.stringContaining(reason) });

  it('opens a file within the allowed folders', async () => {
    const file = await open();
    expect(await file.readFile('utf8')).toBe('inside');
    await file.close();
  });

  it('refuses a file that has become a symbolic link', async () => {
    await rm(path);
    await symlink(join(folder, 'outside/a.csv'), path);
    await expect(open()).rejects.toMatchObject(refusal('cannot be opened (ELOOP)'));
  });

  it('refuses a file whose folder has become a symbolic link that leads out', async () => {
    await rename(join(root, 'set'), join(root, 'old'));
    await symlink(join(folder, 'outside'), join(root, 'set'));
    await expect(open()).rejects.toMatchObject(refusal('outside the folders of LINK_ROOTS'));
  });

  it('refuses a file whose folder has become a symbolic link to the data of the service', async () => {
    await rename(join(root, 'set'), join(root, 'data'));
    await symlink(join(root, 'data'), join(root, 'set'));
    const bounds = { roots: [root], dataFolders: [join(root, 'data')] };
    await expect(openLinkedFile(path, bounds)).rejects.toMatchObject(refusal('(DATA_DIR)'));
  });

  it('refuses a folder, a named pipe, and what is gone', async () => {
    await rm(path);
    await expect(open()).rejects.toMatchObject(refusal('cannot be opened (ENOENT)'));
    await mkdir(path);
    await expect(open()).rejects.toMatchObject(refusal('what should be a file is none'));
    await rm(path, { recursive: true });
    await promisify(execFile)('mkfifo', [path]);
    await expect(open()).rejects.toMatchObject(refusal('what should be a file is none'));
  });

  it('leaves nothing open that it refuses', async () => {
    await expect(openLinkedFile(path, { roots: [], dataFolders: [] })).rejects.toMatchObject(refusal('outside'));
    const before = await readdir('/proc/self/fd');
    await expect(openLinkedFile(path, { roots: [], dataFolders: [] })).rejects.toMatchObject(refusal('outside'));
    expect((await readdir('/proc/self/fd')).length).toBeLessThanOrEqual(before.length);
  });
});
