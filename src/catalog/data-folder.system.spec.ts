import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { Catalog } from './catalog.js';
import { isOpenToOthers, prepareDataFolder } from './data-folder.js';
import { DataFolderLock } from './data-folder-lock.js';

describe('prepareDataFolder', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = temporaryFolder();
  });

  it.each(['results', 'tables', 'runs', 'notes.txt', 'server.json'])('refuses a folder that holds %s', (name) => {
    mkdirSync(join(dataDir, name));
    expect(() => prepareDataFolder(dataDir)).toThrow(
      `The data folder (DATA_DIR) holds ${name}, but no catalog (catalog.db), and a new one would know none of it: ` +
        'restore catalog.db from a backup, or, to begin anew, choose another DATA_DIR or move these files away',
    );
  });

  it('counts the files beyond the first few', () => {
    for (const name of ['f', 'e', 'd', 'c', 'b', 'a']) writeFileSync(join(dataDir, name), '');
    expect(() => prepareDataFolder(dataDir)).toThrow('holds a, b, c, d and 2 more, but no catalog');
  });

  it('refuses before it puts anything into the folder', async () => {
    writeFileSync(join(dataDir, 'notes.txt'), '');
    expect(() => DataFolderLock.take(dataDir)).toThrow('notes.txt');
    await expect(Catalog.open(dataDir)).rejects.toMatchObject({ code: 'data_folder_not_empty' });
    expect(readdirSync(dataDir)).toEqual(['notes.txt']);
  });

  it('refuses an empty catalog file beside results, and a log of a catalog that is gone', async () => {
    writeFileSync(join(dataDir, 'catalog.db'), '');
    writeFileSync(join(dataDir, 'catalog.db-wal'), 'rows');
    await expect(Catalog.open(dataDir)).rejects.toThrow('holds catalog.db-wal, but no catalog');
    rmSync(join(dataDir, 'catalog.db-wal'));
    mkdirSync(join(dataDir, 'results'));
    await expect(Catalog.open(dataDir)).rejects.toThrow('holds results, but no catalog');
  });

  it('takes hidden files, lost+found and what a start leaves that was cut off before the catalog was there', async () => {
    for (const folder of ['lost+found', '.snapshots']) mkdirSync(join(dataDir, folder));
    for (const file of ['.gitkeep', 'catalog.db', 'catalog.db-wal']) writeFileSync(join(dataDir, file), '');
    DataFolderLock.take(dataDir).release();
    await (await Catalog.open(dataDir)).destroy();
    expect(existsSync(join(dataDir, '.gitkeep'))).toBe(true);
  });

  it('takes the folder of a checkout, which holds the sample data', async () => {
    for (const name of readdirSync('data').filter((found) => ['README.md', 'sample'].includes(found)))
      cpSync(join('data', name), join(dataDir, name), { recursive: true });
    expect(readdirSync(dataDir)).toEqual(['README.md', 'sample']);
    await (await Catalog.open(dataDir)).destroy();
  });

  it('takes a folder with a catalog, whatever else is there', async () => {
    await (await Catalog.open(dataDir)).destroy();
    mkdirSync(join(dataDir, 'results'));
    prepareDataFolder(dataDir);
  });

  it('makes the folder of a new catalog for its owner only, and closes one that is there', () => {
    const made = join(dataDir, 'made');
    prepareDataFolder(made);
    expect(statSync(made).mode & 0o777).toBe(0o700);
    chmodSync(made, 0o755);
    expect(isOpenToOthers(made)).toBe(true);
    prepareDataFolder(made);
    expect(isOpenToOthers(made)).toBe(false);
  });

  it('leaves the modes of a folder with a catalog alone', async () => {
    await (await Catalog.open(dataDir)).destroy();
    chmodSync(dataDir, 0o750);
    prepareDataFolder(dataDir);
    expect(statSync(dataDir).mode & 0o777).toBe(0o750);
  });
});
