import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { findChildren } from '../../../test/support/child-processes.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { TemporaryIngest } from '../../../test/support/temporary-ingest.js';
import { until } from '../../../test/support/until.js';
import { findLinkedFiles } from '../../storage/linked/linked-files.js';
import { toTableColumn } from '../../types/column-types.js';
import type { TableColumn } from '../../types/table-column.js';
import { toWireTypeName } from '../../types/wire-type-name.js';
import type { IngestLimits } from './ingest-child.js';
import type { IngestedPart, StagedFile } from './staged-file.js';

let temporary: TemporaryIngest;

async function open(limits?: Partial<IngestLimits>): Promise<TemporaryIngest> {
  temporary = await TemporaryIngest.open(limits);
  return temporary;
}

afterEach(() => temporary.close());

const COLUMNS: readonly TableColumn[] = [
  toTableColumn('n', 'bigint', true),
  toTableColumn('w', 'uint256', true),
  toTableColumn('b', 'varbinary', true),
  toTableColumn('t', 'timestamp', true),
];

async function part(csv: string): Promise<IngestedPart> {
  return temporary.ingest.appendCsv(await temporary.stage(csv), COLUMNS);
}

const children = () => findChildren('ingest.child.cjs');

/** A text that takes far longer to read than the tests that use it wait. */
function stageLong(): Promise<StagedFile> {
  return temporary.stage(`a,b,c\n${`1,"${'x'.repeat(200)}",2024-01-01\n`.repeat(400_000)}`);
}

describe('Ingest', () => {
  it('merges parts in their order, every value as it was', async () => {
    await open();
    const parts = [
      await part(
        'n,w,b,t\n3,115792089237316195423570985008687907853269984665640564039457584007913129639935,0x00,2024-01-01\n',
      ),
      await part('n\n1\n2\n'),
      await part('w,n\n7,\n'),
    ];
    const merged = await temporary.ingest.merge(
      parts.map(({ path }) => path),
      COLUMNS,
    );
    expect(merged.columns).toEqual(COLUMNS);
    expect(merged.rowCount).toBe(4);
    const rows = await Promise.all(parts.map((one) => temporary.rows(one)));
    await expect(temporary.rows(merged)).resolves.toEqual(rows.flat());
  });

  it('writes a part without rows that has the columns of the others', async () => {
    await open();
    const empty = await temporary.ingest.writeEmpty(COLUMNS);
    expect(empty).toMatchObject({ rowCount: 0, columns: COLUMNS });
    const rows = await part('n\n1\n');
    const merged = await temporary.ingest.merge([empty.path, rows.path], COLUMNS);
    await expect(temporary.rows(merged)).resolves.toEqual([['1', null, null, null]]);
  });

  it('does many jobs at once, each in its turn', async () => {
    await open();
    const parts = await Promise.all(Array.from({ length: 20 }, (_, index) => part(`n\n${index}\n`)));
    const rows = await Promise.all(parts.map((one) => temporary.rows(one)));
    expect(rows.map(([row]) => row?.[0])).toEqual(parts.map((_, index) => String(index)));
  });

  it('has no process before the first job, and keeps the one that did it', async () => {
    await open();
    expect(children()).toEqual([]);
    await part('n\n1\n');
    const pids = children();
    expect(pids).toHaveLength(1);
    await part('n\n2\n');
    expect(children()).toEqual(pids);
  });

  it('has a process ready for a job that is announced', async () => {
    await open();
    temporary.ingest.wake();
    temporary.ingest.wake();
    let pids: number[] = [];
    await until(() => {
      pids = children();
      return pids.length > 0;
    });
    await part('n\n1\n');
    expect(children()).toEqual(pids);
  });

  it('tells a job for which no process starts, and starts one for the next', async () => {
    await open();
    const text = await temporary.stage('n\n1\n');
    const elsewhere = `${temporary.stagingFolder}-elsewhere`;
    await rename(temporary.stagingFolder, elsewhere);
    await writeFile(temporary.stagingFolder, 'no folder');
    temporary.ingest.wake();
    const jobs = Array.from({ length: 3 }, () => temporary.ingest.appendCsv(text, COLUMNS));
    for (const job of await Promise.allSettled(jobs)) expect(job).toMatchObject({ reason: { code: 'ENOTDIR' } });
    await rm(temporary.stagingFolder);
    await rename(elsewhere, temporary.stagingFolder);
    await expect(temporary.ingest.appendCsv(text, COLUMNS)).resolves.toMatchObject({ rowCount: 1 });
  });

  it('goes on after a refused text', async () => {
    await open();
    await expect(part('n\nx\n')).rejects.toMatchObject({ code: 'invalid_row' });
    await expect(part('n\n1\n')).resolves.toMatchObject({ rowCount: 1 });
  });

  it('stops a job when it is aborted, and leaves nothing of it', async () => {
    await open();
    await part('n\n1\n');
    const controller = new AbortController();
    const file = await stageLong();
    const before = await temporary.leftovers();
    const job = temporary.ingest.inferCsv(file, {}, controller.signal);
    controller.abort(new Error('The client is gone'));
    await expect(job).rejects.toThrow('The client is gone');
    await expect(temporary.leftovers()).resolves.toEqual(before);
    await expect(part('n\n1\n')).resolves.toMatchObject({ rowCount: 1 });
  });

  it('fails a job whose process is killed, leaves nothing of it, and goes on with another process', async () => {
    await open();
    await part('n\n1\n');
    const file = await stageLong();
    const before = await temporary.leftovers();
    const job = temporary.ingest.inferCsv(file);
    const pids = children();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await expect(job).rejects.toThrow('The ingest process died: killed by SIGKILL');
    await expect(temporary.leftovers()).resolves.toEqual(before);
    await expect(part('n\n1\n')).resolves.toMatchObject({ rowCount: 1 });
    const pidsAfter = children();
    expect(pidsAfter.filter((pid) => pids.includes(pid))).toEqual([]);
  });

  it('refuses a job that takes too long', async () => {
    await open({ timeoutMs: 50 });
    const file = await stageLong();
    await expect(temporary.ingest.inferCsv(file)).rejects.toMatchObject({
      kind: 'too_large',
      code: 'upload_too_heavy',
      message: expect.stringContaining('more time'),
    });
  });

  it('refuses a job that takes too much memory', async () => {
    await open({ maxResidentBytes: 120_000_000 });
    const file = await stageLong();
    await expect(temporary.ingest.inferCsv(file)).rejects.toMatchObject({
      code: 'upload_too_heavy',
      message: expect.stringContaining('more memory'),
    });
  });

  it('stays within its memory whatever the size of the text, by writing what does not fit to the disk', async () => {
    await open({ memoryBytes: 64_000_000, maxResidentBytes: 628_000_000 });
    const rows = Array.from({ length: 60_000 }, (_, index) => `${index},"${String(index).padEnd(2_000, 'x')}"`);
    const made = await temporary.ingest.inferCsv(await temporary.stage(`a,b\n${rows.join('\n')}\n`));
    expect(made.rowCount).toBe(60_000);
  });

  it('leaves no process and no folder of one behind when it is closed, whatever it is doing', async () => {
    await open();
    await part('n\n1\n');
    const job = temporary.ingest.inferCsv(await stageLong());
    await Promise.all([expect(job).rejects.toThrow(), temporary.ingest.close()]);
    expect(children()).toEqual([]);
    expect((await readdir(temporary.stagingFolder)).filter((name) => name.startsWith('child-'))).toEqual([]);
    await expect(part('n\n1\n')).rejects.toThrow('The service is stopping');
  });
});

describe('Ingest.describeFiles', () => {
  async function describeFiles(pattern: string) {
    const root = join(temporary.folder, 'linked');
    const found = await findLinkedFiles(join(root, pattern), { roots: [temporary.folder], dataFolders: [] });
    const { columns, rowCount } = await temporary.describeFiles(found);
    return {
      columns: columns.map(({ name, type }) => `${name} ${toWireTypeName(type)}`),
      rowCount,
    };
  }

  async function write(path: string, content: string | Uint8Array): Promise<void> {
    const file = join(temporary.folder, 'linked', path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, content);
  }

  it('finds columns and rows of CSV, NDJSON and Parquet files, of folders and of globs', async () => {
    await open();
    await write('a.csv', 'x,y\n1,2024-01-01\n');
    await write('b/1.ndjson', '{"x":1}\n{"x":2,"y":"z"}\n');
    await write('b/2.ndjson', '{"y":"z"}\n');
    const { path } = await part('n,t\n1,\n2,2024-01-01\n');
    await write('c/year=2023/1.parquet', await readFile(path));
    await write('c/year=2024/1.parquet', await readFile(path));
    await expect(describeFiles('a.csv')).resolves.toMatchObject({ columns: ['x bigint', 'y date'], rowCount: 1 });
    await expect(describeFiles('b')).resolves.toEqual({ columns: ['x bigint', 'y varchar'], rowCount: 3 });
    const parquet = ['n bigint', 'w varchar', 'b varbinary', 't timestamp', 'year bigint'];
    await expect(describeFiles('c')).resolves.toEqual({ columns: parquet, rowCount: 4 });
    await expect(describeFiles('c/*/1.parquet')).resolves.toEqual({ columns: parquet, rowCount: 4 });
  });

  it('reads exactly the files of a folder whose name looks like a glob', async () => {
    await open();
    for (const folder of ['a[1]', 'br{a,b}', 'star*']) await write(`${folder}/1.csv`, 'x\n1\n2\n');
    for (const folder of ['a1', 'bra', 'stars']) await write(`${folder}/1.csv`, 'y\n1\n');
    for (const folder of ['a[1]', 'br{a,b}', 'star*'])
      await expect(describeFiles(folder)).resolves.toMatchObject({ columns: ['x bigint'], rowCount: 2 });
  });

  it('refuses files that are not what they are called', async () => {
    await open();
    await write('x.parquet', 'a,b\n1,2\n');
    await expect(describeFiles('x.parquet')).rejects.toMatchObject({ kind: 'invalid', code: 'unreadable_files' });
  });

  it('opens no file outside its folders', async () => {
    await open();
    const outside = temporaryFolder();
    for (const format of ['csv', 'ndjson', 'parquet'] as const) {
      const path = join(outside, `a.${format}`);
      await writeFile(path, format === 'ndjson' ? '{"n":1}\n' : 'n\n1\n');
      const files = { format, files: [{ path, relativePath: `a.${format}` }], isHive: false };
      await expect(temporary.describeFiles(files)).rejects.toMatchObject({
        code: 'unreadable_files',
        message: expect.stringMatching(
          /^The files? .*cannot be read: Cannot access file .* disabled by configuration$/,
        ),
      });
    }
  });
});
