import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { LinkRoots } from './link-bounds.js';
import { findLinkedFiles } from './linked-files.js';

describe('findLinkedFiles', () => {
  let folder: string;
  let root: string;

  beforeEach(async () => {
    folder = temporaryFolder();
    root = join(folder, 'root');
    await mkdir(root);
  });

  async function givenFiles(...names: string[]): Promise<void> {
    for (const name of names) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), '');
    }
  }

  const find = (pattern: string, roots = [root]) => findLinkedFiles(join(root, pattern), { roots, dataFolders: [] });
  const pathsOf = async (pattern: string) => (await find(pattern)).files.map(({ relativePath }) => relativePath);

  it.each([
    ['a.parquet', 'parquet'],
    ['a.CSV', 'csv'],
    ['a.tsv.gz', 'csv'],
    ['a.ndjson', 'ndjson'],
    ['a.jsonl.gz', 'ndjson'],
  ])('takes one file, %s, as %s', async (name, format) => {
    await givenFiles(name);
    expect(await find(name)).toEqual({
      format,
      files: [{ path: join(root, name), relativePath: name }],
      isHive: false,
    });
  });

  it('takes a glob, in the order of the names', async () => {
    await givenFiles('b.csv', 'a.csv', 'c.txt', 'deep/d.csv');
    expect(await pathsOf('*.csv')).toEqual(['a.csv', 'b.csv']);
    expect(await pathsOf('**/*.csv')).toEqual(['a.csv', 'b.csv', 'deep/d.csv']);
  });

  it('takes the data files of a folder and of those in it', async () => {
    await givenFiles('set/_SUCCESS', 'set/.hidden.csv', 'set/readme.md', 'set/b/2.csv', 'set/1.csv');
    expect(await pathsOf('set')).toEqual(['set/1.csv', 'set/b/2.csv']);
  });

  it('takes a file whose name looks like a glob', async () => {
    await givenFiles('a[1].csv', 'a1.csv');
    expect(await pathsOf('a[1].csv')).toEqual(['a[1].csv']);
  });

  it.each(['a[1]', 'br{a,b}', 'what?', 'star*', '!(x)', 'back\\slash'])(
    'takes a folder whose name looks like a glob: %s',
    async (name) => {
      await givenFiles(`${name}/1.csv`, `${name}/deep/2.csv`, 'a1/3.csv', 'bra/4.csv', 'whats/5.csv', 'stars/6.csv');
      expect(await pathsOf(name)).toEqual([`${name}/1.csv`, `${name}/deep/2.csv`]);
    },
  );

  it('sees columns in the names of folders when every file has the same', async () => {
    await givenFiles('year=2025/month=1/a.parquet', 'year=2026/month=2/a.parquet');
    expect((await find('.')).isHive).toBe(true);
    await givenFiles('year=2026/b.parquet');
    expect((await find('.')).isHive).toBe(false);
  });

  it('refuses what is not there, or not data', async () => {
    await givenFiles('a.txt');
    await expect(find('nothing.csv')).rejects.toThrow('there are no Parquet, CSV or NDJSON files there');
    await expect(find('a.txt')).rejects.toThrow('there are no Parquet, CSV or NDJSON files there');
  });

  it('refuses files of different formats', async () => {
    await givenFiles('a.csv', 'b.parquet');
    await expect(find('.')).rejects.toThrow('the files are of different formats');
  });

  it('refuses a file outside the allowed folders, and any file when no folder is allowed', async () => {
    await givenFiles('a.csv');
    await writeFile(join(folder, 'outside.csv'), '');
    await mkdir(join(folder, 'root2'));
    await writeFile(join(folder, 'root2/a.csv'), '');
    for (const pattern of ['../outside.csv', '../root2/a.csv']) {
      await expect(find(pattern)).rejects.toMatchObject({ kind: 'invalid', code: 'link_refused' });
    }
    await expect(find('a.csv', [])).rejects.toThrow('outside the folders of LINK_ROOTS');
  });

  it('keeps to the folders that were allowed at first, whatever takes the place of one', async () => {
    await givenFiles('a.csv', 'inner/b.csv');
    await mkdir(join(folder, 'outside'));
    await writeFile(join(folder, 'outside/b.csv'), '');
    const inner = join(root, 'inner');
    const roots = new LinkRoots({ LINK_ROOTS: [root, inner], DATA_DIR: join(folder, 'data') });
    const findInner = async () => findLinkedFiles(inner, await roots.findBounds());
    expect((await findInner()).files).toHaveLength(1);
    await rename(inner, join(root, 'before'));
    await symlink(join(folder, 'outside'), inner);
    await expect(findInner()).rejects.toThrow('outside the folders of LINK_ROOTS');
  });

  describe('where the data folder of the service lies within an allowed folder', () => {
    const findBeside = async (pattern: string) => {
      const bounds = await new LinkRoots({ LINK_ROOTS: [folder], DATA_DIR: join(root, 'data') }).findBounds();
      return findLinkedFiles(join(folder, pattern), bounds);
    };

    beforeEach(() => givenFiles('a.parquet', 'data/tables/1.parquet', 'data2/b.parquet'));

    it.each(['.', 'root', 'root/data', 'root/data/tables', 'root/**/*.parquet', 'root/data/tables/1.parquet'])(
      'refuses %s',
      async (pattern) => {
        await expect(findBeside(pattern)).rejects.toMatchObject({ message: expect.stringContaining('(DATA_DIR)') });
      },
    );

    it.each(['root/a.parquet', 'root/*.parquet', 'root/data2'])('takes %s', async (pattern) => {
      expect((await findBeside(pattern)).files).toHaveLength(1);
    });

    it('refuses symbolic links to it, and what it links to', async () => {
      await symlink(root, join(folder, 'link'));
      await symlink(join(root, 'data/tables/1.parquet'), join(root, 'data2/1.parquet'));
      await mkdir(join(root, 'other/disk'), { recursive: true });
      await symlink(join(root, 'other/disk'), join(root, 'data/results'));
      for (const pattern of ['link', 'link/data', 'root/data2', 'root/data2/1.parquet', 'root/other'])
        await expect(findBeside(pattern)).rejects.toMatchObject({ message: expect.stringContaining('(DATA_DIR)') });
    });
  });

  it('refuses a symbolic link that leads out, and follows one that stays inside', async () => {
    await givenFiles('real/a.csv');
    await writeFile(join(folder, 'outside.csv'), '');
    await symlink(join(root, 'real/a.csv'), join(root, 'inside.csv'));
    expect(await pathsOf('inside.csv')).toEqual(['real/a.csv']);
    await symlink(join(folder, 'outside.csv'), join(root, 'out.csv'));
    await expect(find('*.csv')).rejects.toThrow('outside the folders of LINK_ROOTS');
  });
});
