import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { expectWell } from '../support/expect-well.js';
import { inCatalogOf } from '../support/in-catalog.js';
import { Program, untilNobodyWorksIn } from '../support/program.js';
import { until } from '../support/until.js';

type Read = Awaited<ReturnType<Program['read']>>;

describe('a backup', () => {
  let folder: string;
  let dataDir: string;
  let backups: string;
  let servers: Program[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eider-backup-'));
    dataDir = join(folder, 'data');
    backups = join(folder, 'backups');
    servers = [];
  });
  afterEach(async () => {
    for (const server of servers) await server.stop('SIGKILL');
    await untilNobodyWorksIn(folder);
    await rm(folder, { recursive: true });
  });

  async function serve(settings: Record<string, string> = {}): Promise<Program> {
    const server = await Program.serve({ DATA_DIR: dataDir, ...settings });
    servers.push(server);
    return server;
  }

  const run = (command: string[], settings: Record<string, string> = {}) =>
    Program.run(command, { DATA_DIR: dataDir, ...settings }).exited;

  async function runToEnd(server: Program, sql: string): Promise<string> {
    const id = await server.execute(sql);
    await server.untilEnded(id);
    return id;
  }

  const upload = (server: Program, table_name: string, data: string) =>
    server.fetch('/table/upload/csv', { method: 'POST', body: { table_name, data } });

  const insert = (server: Program, data: string) =>
    server.fetch('/table/demo/sizes/insert', { method: 'POST', body: data, contentType: 'text/csv' });

  /** Executes, deletes, overwrites and inserts until it is over; keeps each result as it reads. */
  async function work(server: Program, reads: Map<string, Read>, isOver: () => boolean): Promise<void> {
    for (let round = 1; !isOver(); round++) {
      const id = await runToEnd(server, `SELECT ${round} AS round, range AS n FROM range(${round})`);
      reads.set(id, await server.read(id));
      if (round % 3 === 0) expect((await server.fetch(`/execution/${id}`, { method: 'DELETE' })).status).toBe(200);
      expect((await upload(server, 'sizes', `n\n${round}\n`)).status).toBe(200);
      expect((await insert(server, `n\n${round + 1}\n`)).status).toBe(200);
    }
  }

  async function backUp(): Promise<string> {
    const { code, output } = await run(['backup', backups, '--json']);
    const report = JSON.parse(output) as { backup: string; problems: unknown[] };
    expect({ code, problems: report.problems }).toEqual({ code: 0, problems: [] });
    return report.backup;
  }

  it('of a server under load is sound, and reads the same once it is restored', async () => {
    const server = await serve();
    await upload(server, 'steady', 'n,text\n1,"a ""b"""\n2,\n');
    const steady = await runToEnd(server, 'SELECT * FROM steady');
    const reads = new Map([[steady, await server.read(steady)]]);
    // Before the first backup, so that every restored folder has the table.
    expect((await upload(server, 'sizes', 'n\n0\n')).status).toBe(200);
    let isOver = false;
    const working = work(server, reads, () => isOver);
    const made: string[] = [];
    for (let count = 0; count < 3; count++) {
      made.push(await backUp());
      // Beside the server, nothing looks wrong that is only under way.
      await expectWell(dataDir);
    }
    isOver = true;
    await working;
    for (const [index, backup] of made.entries()) {
      expect(await run(['backup', '--verify', backup])).toMatchObject({ code: 0 });
      const restored = join(folder, `restored-${index}`);
      expect(await run(['restore', backup, '--data-dir', restored])).toMatchObject({ code: 0 });
      await expectWell(restored, { deep: true });
      // Before it serves: executions that were running run again.
      const stored = inCatalogOf(restored, "SELECT id FROM executions WHERE state = 'COMPLETED'").map(
        ({ id }) => `${id}`,
      );
      const other = await serve({ DATA_DIR: restored });
      expect(stored).toContain(steady);
      for (const id of stored) expect(await other.read(id)).toEqual(reads.get(id) ?? (await server.read(id)));
      const again = await runToEnd(other, 'SELECT * FROM steady');
      expect((await other.read(again)).csv).toBe(reads.get(steady)?.csv);
      const sizes = (await other.read(await runToEnd(other, 'SELECT n FROM sizes'))).csv;
      const [first] = sizes.split('\n').slice(1).map(Number);
      expect([`n\n${first}\n`, `n\n${first}\n${(first ?? 0) + 1}\n`]).toContain(sizes);
      await expectWell(restored);
      await other.stop('SIGTERM');
    }
    await expectWell(dataDir, { deep: true });
  }, 240_000);

  it('that is killed at any step is none, and the next one removes what it left', async () => {
    const server = await serve();
    await runToEnd(server, 'SELECT 1 AS n');
    for (const point of ['backup-catalog-copied', 'backup-blobs-copied']) {
      await rm(backups, { recursive: true, force: true });
      expect(await run(['backup', backups], { TEST_FAILPOINT: `${point}=crash` })).toMatchObject({ signal: 'SIGKILL' });
      const left = (await readdir(backups)).filter((name) => !name.startsWith('backup.lock'));
      expect(left).toEqual([expect.stringMatching(/^20.*Z\.unfinished$/)]);
      const target = join(folder, 'restored');
      for (const command of [
        ['restore', '--data-dir', target],
        ['backup', '--verify'],
      ])
        expect(await run([...command, join(backups, left[0] ?? '')])).toMatchObject({
          code: 1,
          output: expect.stringContaining('is no complete backup'),
        });
      await backUp();
      expect((await readdir(backups)).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
      await expectWell(dataDir);
    }
  });

  it('is interrupted by SIGINT, and removes what it wrote', async () => {
    const server = await serve();
    for (let count = 0; count < 4; count++)
      await runToEnd(server, 'SELECT hash(range) AS a, hash(range, 1) AS b FROM range(2000000)');
    const backup = Program.run(['backup', backups, '--full'], { DATA_DIR: dataDir });
    await until(async () => (await readdir(backups).catch(() => [])).some((name) => name.endsWith('.unfinished')));
    expect(await backup.stop('SIGINT')).toMatchObject({ code: 1, output: expect.stringContaining('Interrupted') });
    expect((await readdir(backups)).filter((name) => !name.startsWith('backup.lock'))).toEqual([]);
  });

  it('that fills its disk leaves nothing there', async () => {
    const server = await serve();
    for (let count = 0; count < 2; count++)
      await runToEnd(server, 'SELECT md5(range::VARCHAR) AS t FROM range(100000)');
    await mkdir(backups);
    for (const megabytes of [1, 4]) {
      const full = Program.runOnDiskOf(megabytes, backups, 'backup "$DISK"', { DATA_DIR: dataDir });
      const { code, output } = await full.exited;
      expect({ megabytes, code, output }).toEqual({
        megabytes,
        code: 1,
        output: expect.stringMatching(/^Cannot write to .*: its disk is full, .*\nleft: \S*backup\.lock\n$/),
      });
    }
    expect(await readdir(backups)).toEqual([]);
  });

  it('that does not fit into the data folder leaves nothing there, and what was restored by half is no data folder', async () => {
    const server = await serve();
    await runToEnd(server, 'SELECT md5(range::VARCHAR) AS t FROM range(100000)');
    const backup = await backUp();
    const target = join(folder, 'restored');
    await mkdir(target);
    const full = Program.runOnDiskOf(1, target, `restore ${backup} --data-dir "$DISK"`, { DATA_DIR: dataDir });
    expect(await full.exited).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^Cannot write to .*: its disk is full, .*\nleft: \S*serving\.lock\n$/),
    });

    const settings = { DATA_DIR: target, TEST_FAILPOINT: 'restore-blobs-copied=crash' };
    expect(await run(['restore', backup], settings)).toMatchObject({ signal: 'SIGKILL' });
    for (const command of [['serve'], ['restore', backup], ['account', 'list']])
      expect(await run(command, { DATA_DIR: target })).toMatchObject({
        code: 1,
        output: expect.stringMatching(/holds results, but no catalog|is not empty/),
      });
    await rm(target, { recursive: true });
    const last = { DATA_DIR: target, TEST_FAILPOINT: 'restore-catalog-copied=crash' };
    expect(await run(['restore', backup], last)).toMatchObject({ signal: 'SIGKILL' });
    await expectWell(target);
  });
});
