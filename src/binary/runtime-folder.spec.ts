import { chmod, lchown, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import type { PackedFiles } from './packed-files.js';
import { openRuntimeFolder } from './runtime-folder.js';

const CONTENTS: Readonly<Record<string, string>> = { 'package.json': '{}', 'dist/program/main.js': 'run()' };
const PACKED: PackedFiles = {
  id: '0123',
  files: Object.entries(CONTENTS).map(([path, { length }]) => ({ path, sizeBytes: length })),
  read: (path) => Buffer.from(CONTENTS[path] ?? ''),
};
/** Nothing has to be read for a start after the first. */
const UNREADABLE: PackedFiles = {
  ...PACKED,
  read: () => {
    throw new Error('read');
  },
};

describe('openRuntimeFolder', () => {
  let work: string;

  beforeEach(async () => {
    work = temporaryFolder();
  });

  it('unpacks each file once, for its user alone', async () => {
    const root = join(work, 'cache/eider');
    const folder = openRuntimeFolder(PACKED, [root]);
    expect(folder).toBe(join(root, '0123'));
    expect(await readFile(join(folder, 'dist/program/main.js'), 'utf8')).toBe('run()');
    expect((await stat(root)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'dist/program/main.js'))).mode & 0o222).toBe(0);
    expect(openRuntimeFolder(UNREADABLE, [root])).toBe(folder);
  });

  it('replaces a folder in which a file is missing or cut off', async () => {
    const folder = openRuntimeFolder(PACKED, [work]);
    await rm(join(folder, 'package.json'));
    await rm(join(folder, 'dist/program/main.js'));
    await writeFile(join(folder, 'dist/program/main.js'), 'ru');
    expect(openRuntimeFolder(PACKED, [work])).toBe(folder);
    expect(await readFile(join(folder, 'dist/program/main.js'), 'utf8')).toBe('run()');
    expect(await readdir(work)).toEqual(['0123']);
  });

  it('leaves nothing of an attempt that failed, and takes the next root', async () => {
    const [first, second] = [join(work, 'first'), join(work, 'second')];
    await mkdir(second);
    openRuntimeFolder(PACKED, [second]);
    expect(openRuntimeFolder(UNREADABLE, [first, second])).toBe(join(second, '0123'));
    expect(await readdir(first)).toEqual([]);
  });

  it('removes what a process that was killed has left an hour ago', async () => {
    for (const name of ['.unpack-old', '.unpack-new']) await mkdir(join(work, name));
    await utimes(join(work, '.unpack-old'), new Date(0), new Date(0));
    openRuntimeFolder(PACKED, [work]);
    expect(await readdir(work)).toEqual(['.unpack-new', '0123']);
  });

  it('gives the reason for each root that cannot be used', async () => {
    const open = join(work, 'open');
    await mkdir(open);
    await chmod(open, 0o777);
    const roots = [open, '/proc/eider/cache', '/dev/null/eider'];
    expect(() => openRuntimeFolder(PACKED, roots)).toThrow(
      `${open}: other users can write to it\n- /proc/eider/cache: ENOENT\n- /dev/null/eider: ENOTDIR\n`,
    );
    expect(() => openRuntimeFolder(PACKED, roots)).toThrow(/Set EIDER_RUNTIME_DIR to such a folder\.$/);
  });

  it('uses no folder and no link of another user', async () => {
    const [other, link] = [join(work, 'other'), join(work, 'link')];
    await mkdir(other);
    await symlink(work, link);
    // What root owns is trusted, so that root has to give it away.
    if (process.getuid?.() === 0) for (const path of [other, link]) await lchown(path, 65_534, 65_534);
    const stranger = 65_533;
    expect(() => openRuntimeFolder(PACKED, [other, link], stranger)).toThrow(
      `${other}: another user owns it\n- ${link}: another user owns it\n`,
    );
  });
});
