import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectWell } from '../support/expect-well.js';
import { inCatalogOf } from '../support/in-catalog.js';
import { Program, untilNobodyWorksIn } from '../support/program.js';

describe('eider backup and eider restore', () => {
  let folder: string;
  let dataDir: string;
  let backups: string;
  let server: Program;
  let ids: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eider-backup-'));
    dataDir = join(folder, 'data');
    backups = join(folder, 'backups');
    server = await Program.serve({ DATA_DIR: dataDir });
    const upload = { table_name: 'sizes', data: 'n,t\n1,a\n2,b\n' };
    await server.fetch('/table/upload/csv', { method: 'POST', body: upload });
    await writeFile(join(folder, 'linked.csv'), 'n\n1\n');
    expect(await run(['table', 'link', 'linked', join(folder, 'linked.csv')])).toMatchObject({ code: 0 });
    ids = [await runToEnd('SELECT range AS n FROM range(1000)'), await runToEnd('SELECT * FROM sizes')];
  });
  afterAll(async () => {
    await server.stop('SIGKILL');
    await untilNobodyWorksIn(folder);
    await rm(folder, { recursive: true });
  });

  const run = (command: string[], settings: Record<string, string> = {}) =>
    Program.run(command, { DATA_DIR: dataDir, LINK_ROOTS: folder, ...settings }).exited;

  async function runToEnd(sql: string): Promise<string> {
    const id = await server.execute(sql);
    await server.untilEnded(id);
    return id;
  }

  async function backUp(): Promise<any> {
    const { code, output } = await run(['backup', backups, '--json']);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('"backup":') });
    return JSON.parse(output);
  }

  async function blobsIn(path: string): Promise<string[]> {
    const names = await readdir(path, { recursive: true });
    return names.filter((name) => name.endsWith('.parquet')).toSorted();
  }

  it('copies a data folder beside the server, and copies it back: everything reads the same', async () => {
    const report = await backUp();
    expect(report).toMatchObject({
      files: 4,
      copied_files: 3,
      linked_tables: [{ table: 'demo.linked', pattern: join(folder, 'linked.csv') }],
      problems: [],
    });
    const restored = join(folder, 'restored');
    const { code, output } = await run(['restore', report.backup, '--data-dir', restored, '--json']);
    expect({ code, ...JSON.parse(output) }).toMatchObject({ code: 0, data_dir: restored, files: 4, problems: [] });
    expect(await run(['doctor'], { DATA_DIR: restored })).toMatchObject({ code: 0 });
    const other = await Program.serve({ DATA_DIR: restored });
    for (const id of ids) expect(await other.read(id)).toEqual(await server.read(id));
    const query = await other.execute('SELECT * FROM sizes');
    await other.untilEnded(query);
    expect((await other.read(query)).csv).toBe((await server.read(ids[1] ?? '')).csv);
    await other.stop('SIGTERM');
  });

  it('opens a backup to its owner only, and lists what is not in it', async () => {
    const { code, output } = await run(['backup', backups]);
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(
        /^Wrote the backup .*Z\n4 files, [\d.]+ kB, of which 0 \(0 bytes\) were copied: .*\nlinked table, files not in the backup {2}demo\.linked {2}.*linked\.csv\n$/,
      ),
    });
    for (const name of await readdir(backups, { recursive: true })) {
      const found = await stat(join(backups, name));
      const mode = found.isDirectory() ? 0o700 : name.endsWith('.parquet') ? 0o400 : 0o600;
      expect({ name, mode: found.mode & 0o777 }).toEqual({ name, mode });
    }
  });

  it('shares the files of the backup before', async () => {
    const [first, before] = [await backUp(), await readdir(backups)];
    ids.push(await runToEnd('SELECT 3 AS n'));
    const second = await backUp();
    expect(second).toMatchObject({ files: 5, copied_files: 1 });
    expect(await readdir(backups)).toHaveLength(before.length + 1);
    const shared = await blobsIn(first.backup);
    expect(shared).toHaveLength(3);
    for (const name of shared) {
      const [old, now] = [await stat(join(first.backup, name)), await stat(join(second.backup, name))];
      expect(now.ino).toBe(old.ino);
      expect((await stat(join(dataDir, name))).ino).not.toBe(now.ino);
    }
  });

  it('finds with --verify which files of a backup are missing or have changed', async () => {
    const { backup, files } = await backUp();
    const sound = await run(['backup', '--verify', backup]);
    expect(sound).toMatchObject({ code: 0, output: expect.stringContaining(`is sound: ${files} files, `) });

    const damaged = join(folder, 'damaged');
    await cp(backup, damaged, { recursive: true });
    const [missing = '', changed = ''] = await blobsIn(damaged);
    await rm(join(damaged, missing));
    await chmod(join(damaged, changed), 0o600);
    const bytes = await readFile(join(damaged, changed));
    bytes[9] = (bytes[9] ?? 0) ^ 1;
    await writeFile(join(damaged, changed), bytes);
    const { code, output } = await run(['backup', '--verify', damaged, '--json']);
    expect({ code, ...JSON.parse(output) }).toMatchObject({
      code: 1,
      problems: [
        { path: missing, problem: 'is missing' },
        { path: changed, problem: 'has changed' },
      ],
    });

    const target = join(folder, 'from-damaged');
    const restored = await run(['restore', damaged, '--data-dir', target]);
    expect(restored).toMatchObject({ code: 1, output: expect.stringContaining('is damaged') });
    expect((await readdir(target)).filter((name) => !name.startsWith('serving.lock'))).toEqual([]);
  });

  it('refuses a folder that is no complete backup, and a data folder that is not empty', async () => {
    const { backup } = await backUp();
    const target = join(folder, 'refused');
    expect(await run(['restore', backups, '--data-dir', target])).toMatchObject({
      code: 1,
      output: `${backups} is a folder of backups: choose one of them, such as ${backup}, which is the newest\n`,
    });
    await cp(backup, join(folder, 'incomplete'), { recursive: true });
    await rm(join(folder, 'incomplete/manifest.json'));
    for (const command of [
      ['restore', '--data-dir', target],
      ['backup', '--verify'],
    ])
      expect(await run([...command, join(folder, 'incomplete')])).toMatchObject({
        code: 1,
        output: expect.stringContaining('is no complete backup: it has no manifest.json'),
      });
    await mkdir(target);
    await writeFile(join(target, 'notes.txt'), '');
    for (const full of [target, dataDir])
      expect(await run(['restore', backup, '--data-dir', full])).toMatchObject({
        code: 1,
        output: expect.stringContaining(`The data folder ${full} is not empty`),
      });
    expect(await readFile(join(target, 'notes.txt'), 'utf8')).toBe('');
  });

  it('takes the catalog of an earlier version as it is', async () => {
    const older = join(folder, 'older');
    await cp('test/fixtures/data-folder-0.1.0', older, { recursive: true });
    inCatalogOf(older, 'ALTER TABLE executions DROP COLUMN replacements');
    inCatalogOf(older, "DELETE FROM kysely_migration WHERE name = '010-replacements'");
    const made = await run(['backup', join(folder, 'older-backups'), '--json'], { DATA_DIR: older });
    expect(made.code).toBe(0);
    const target = join(folder, 'older-restored');
    const { backup } = JSON.parse(made.output);
    expect(await run(['restore', backup, '--data-dir', target])).toMatchObject({ code: 0 });
    const settings = { DATA_DIR: target };
    expect(await run(['migrate', '--dry-run'], settings)).toMatchObject({
      output: expect.stringContaining('1 change'),
    });
    expect(await run(['migrate'], settings)).toMatchObject({ code: 0 });
    await expectWell(target);
  });
});
