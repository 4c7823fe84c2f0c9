import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RunFolder, sweepRunFolders } from './run-folder.js';

let runs: string;

beforeEach(async () => {
  runs = await mkdtemp(join(tmpdir(), 'eider-runs-'));
});

afterEach(async () => {
  await rm(runs, { recursive: true });
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
    await expect(folder.linkTables([{ ...TABLE, parts: [join(runs, 'gone.parquet')] }])).rejects.toThrow('ENOENT');
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
