import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ulid } from 'ulid';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { BlobStore } from './blob-store.js';

describe('BlobStore', () => {
  let folder: string;
  let store: BlobStore;

  beforeEach(async () => {
    folder = temporaryFolder();
    store = new BlobStore(join(folder, 'results'));
  });

  async function givenFile(text: string): Promise<string> {
    const path = join(folder, 'staged');
    await writeFile(path, text);
    return path;
  }

  async function names(): Promise<string[]> {
    const found: string[] = [];
    for await (const { name } of store.list()) found.push(name);
    return found;
  }

  it('takes a file over, to be read only by its owner', async () => {
    const name = `${ulid()}-1.parquet`;
    const staged = await givenFile('rows');
    await store.adopt(staged, name);
    expect(await readFile(store.pathOf(name), 'utf8')).toBe('rows');
    expect((await stat(store.pathOf(name))).mode & 0o777).toBe(0o400);
    await expect(stat(staged)).rejects.toThrow('ENOENT');
    expect(await names()).toEqual([name]);
  });

  it('takes a copy of a file that stays', async () => {
    const name = `${ulid()}.parquet`;
    const path = await givenFile('rows');
    expect(await store.adoptCopy(path, name)).toEqual({ sizeBytes: 4 });
    expect(await readFile(path, 'utf8')).toBe('rows');
    expect(await names()).toEqual([name]);
  });

  it('shares a file with another store, if there is such a file', async () => {
    const [name, missing] = [`${ulid()}.parquet`, `${ulid()}.parquet`];
    const path = await givenFile('rows');
    expect(await store.adoptLink(path, name)).toBe(true);
    expect((await stat(store.pathOf(name))).ino).toBe((await stat(path)).ino);
    expect(await store.adoptLink(join(folder, 'gone'), missing)).toBe(false);
    await store.sync();
    expect(await names()).toEqual([name]);
  });

  it('deletes a blob, and one that is gone already', async () => {
    const name = `${ulid()}-1.parquet`;
    await store.adopt(await givenFile('rows'), name);
    await store.delete(name);
    await store.delete(name);
    expect(await names()).toEqual([]);
  });

  it('spreads blobs over folders', () => {
    const folders = new Set(Array.from({ length: 200 }, () => dirname(store.pathOf(`${ulid()}-1.parquet`))));
    expect(folders.size).toBeGreaterThan(100);
  });

  it.each(['../catalog.db', 'a/b', '.hidden', '..'])('refuses %s as a name', (name) => {
    expect(() => store.pathOf(name)).toThrow('A blob name must be a plain file name');
  });

  it('lists nothing before its first blob', async () => {
    expect(await names()).toEqual([]);
  });
});
