import { appendFile, type FileHandle, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { toStamp } from '../../storage/linked/linked-text.js';
import type { RunTable } from './run.js';
import { RunFolder, sweepRunFolders } from './run-folder.js';

let runs: string;

beforeEach(async () => {
  runs = temporaryFolder();
});

const TABLE = { namespace: 'acme', name: 'orders', isBareName: true, isPrivate: false };

describe('RunFolder', () => {
  it('is new for each attempt at the same execution', async () => {
    const [first, second] = [await RunFolder.create(runs, '01J'), await RunFolder.create(runs, '01J')];
    expect(first.path).not.toBe(second.path);
    expect((await readdir(first.path)).sort()).toEqual(['in', 'out', 'tmp']);
  });

  it('keeps the parts of a table that is deleted meanwhile', async () => {
    const parts = [join(runs, 'a.parquet'), join(runs, 'b.parquet')];
    for (const part of parts) await writeFile(part, part);
    const folder = await RunFolder.create(runs, '01J');
    const [table] = await folder.linkTables([{ ...TABLE, parts }]);
    for (const part of parts) await rm(part);
    expect(table).toEqual({
      namespace: 'acme',
      name: 'orders',
      isBareName: true,
      files: ['in/0.parquet', 'in/1.parquet'],
    });
    expect(await readFile(join(folder.path, 'in/1.parquet'), 'utf8')).toBe(parts[1]);
  });

  it('fails when a part is gone already', async () => {
    const folder = await RunFolder.create(runs, '01J');
    await expect(folder.linkTables([{ ...TABLE, parts: [join(runs, 'gone.parquet')] }])).rejects.toMatchObject({
      message: 'the part gone.parquet of a table is missing',
      failure: { message: 'The data of the table acme.orders is missing on the server' },
    });
  });

  it.each([
    [true, 'client-x/year=2026/secret.csv', 'in/0/year=2026/data.csv'],
    [false, 'client-x/year=2026/secret.CSV.gz', 'in/0/data.csv.gz'],
  ])('keeps of the paths of files only what is a column or how to read them (%s)', async (isHive, place, file) => {
    const path = join(runs, 'secret.csv');
    await writeFile(path, 'n\n1\n');
    const folder = await RunFolder.create(runs, '01J');
    const reading = { format: 'csv', isHive, columns: [], relativePaths: [place], open: () => open(path) } as const;
    expect(await folder.linkTables([{ ...TABLE, parts: [path], reading }])).toMatchObject([{ files: [file] }]);
  });

  it('passes on what is known of text files that are as they were when they were linked', async () => {
    const paths = ['a.csv', 'b.csv', 'c.csv'].map((name) => join(runs, name));
    for (const path of paths) await writeFile(path, 'n\n1\n');
    const form = { names: ['n'], hasTrailingDelimiter: false, hasQuotedNewline: false, isUnusual: false };
    const stamps = await Promise.all(paths.map(async (path) => toStamp(await stat(path, { bigint: true }))));
    const known = paths.slice(0, 2).map((path, index) => {
      const { sizeBytes = 0, modifiedNs = '' } = stamps[index] ?? {};
      return { path, sizeBytes, modifiedNs, longestRecordBytes: 2, form: 0 };
    });
    await appendFile(paths[1] ?? '', '2\n');
    const layout = { delimiter: ',', hasHeader: true };
    const text = { layout, givenColumns: [], forms: [form], files: known };
    const relativePaths = ['a.csv', 'b.csv', 'c.csv'];
    const reading = {
      format: 'csv',
      isHive: false,
      columns: [],
      relativePaths,
      text,
      open: (path: string) => open(path),
    } as const;
    const folder = await RunFolder.create(runs, '01J');
    const [table] = await folder.linkTables([{ ...TABLE, parts: paths, reading }]);
    expect(table?.scans).toEqual([{ scan: { longestRecordBytes: 2, csv: form }, stamp: stamps[0] }, null, null]);
    expect(table?.reading).toEqual({ format: 'csv', isHive: false, columns: [], text: { layout, givenColumns: [] } });
  });

  describe('with files that others can change', () => {
    const opened: FileHandle[] = [];
    let path: string;

    beforeEach(async () => {
      opened.length = 0;
      path = join(runs, 'a.csv');
      await writeFile(path, 'n\n1\n');
    });

    /** A table whose file is opened, and gone before it is linked. */
    function tableOf(...relativePaths: string[]): RunTable {
      const openAndRemove = async (file: string) => {
        const handle = await open(file);
        await rm(file);
        opened.push(handle);
        return handle;
      };
      const reading = { format: 'csv', isHive: false, columns: [], relativePaths, open: openAndRemove } as const;
      return { ...TABLE, parts: relativePaths.map(() => path), reading };
    }

    it('reads what was opened, and holds it until the folder is removed', async () => {
      const folder = await RunFolder.create(runs, '01J');
      const [table] = await folder.linkTables([tableOf('a.csv')]);
      expect(table?.reading).toEqual({ format: 'csv', isHive: false, columns: [] });
      expect(await readFile(join(folder.path, table?.files[0] ?? ''), 'utf8')).toBe('n\n1\n');
      expect(opened[0]?.fd).toBeGreaterThan(0);
      await folder.remove();
      expect(opened[0]?.fd).toBe(-1);
    });

    it('holds nothing of an attempt once it is cleared', async () => {
      const folder = await RunFolder.create(runs, '01J');
      const linking = folder.linkTables([tableOf('a.csv')]);
      await folder.clear();
      expect(opened[0]?.fd).toBe(-1);
      await linking;
    });

    it('leaves out a table with a file that may not be read', async () => {
      const folder = await RunFolder.create(runs, '01J');
      const refused = tableOf('a.csv');
      const reading = { ...refused.reading, open: async () => undefined } as RunTable['reading'];
      expect(await folder.linkTables([{ ...refused, reading }])).toEqual([]);
    });
  });

  it('is empty again after it is cleared', async () => {
    const folder = await RunFolder.create(runs, '01J');
    await writeFile(join(folder.path, 'out/r.parquet'), 'half');
    await folder.clear();
    expect((await readdir(folder.path, { recursive: true })).sort()).toEqual(['in', 'out', 'tmp']);
  });
});

describe('sweepRunFolders', () => {
  it('deletes what earlier runs left', async () => {
    await RunFolder.create(runs, '01J');
    await mkdir(join(runs, 'older'));
    await sweepRunFolders(runs);
    expect(await readdir(runs)).toEqual([]);
  });

  it('does nothing where there was no run yet', async () => {
    await expect(sweepRunFolders(join(runs, 'missing'))).resolves.toBeUndefined();
  });
});
