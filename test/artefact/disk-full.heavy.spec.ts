import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Program, untilNobodyWorksIn } from '../support/program.js';
import { until } from '../support/until.js';

const DISK_MEGABYTES = 16;
const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';
const NO_ROOM = {
  error: 'The service has no disk space left for this: ask its operator to free some, then try again',
  code: 'disk_full',
};
const TOO_LARGE = [
  { where: 'its text does not fit', megabytes: 2 * DISK_MEGABYTES },
  { where: 'its text fits and its part does not', megabytes: 0.6 * DISK_MEGABYTES },
];

describe('a full disk', () => {
  let dataDir: string;
  let program: Program;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'eider-disk-full-'));
    program = await Program.serveOnDiskOf(DISK_MEGABYTES, {
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      MIN_FREE_DISK: '1MB',
    });
    expect((await upload('sizes', toCsv(['1', '2']))).status).toBe(200);
    expect((await upload('texts', toCsv(['first']))).status).toBe(200);
  });
  afterAll(async () => {
    await program.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
    await rm(dataDir, { recursive: true });
  });

  afterEach(() => makeRoom());

  const upload = (table_name: string, data: string) =>
    program.fetch('/table/upload/csv', { method: 'POST', body: { table_name, data } });

  const insert = (table: string, body: string, contentType = CSV) =>
    program.fetch(`/table/demo/${table}/insert`, { method: 'POST', body, contentType });

  /** Values of so many megabytes together that do not get smaller. */
  function incompressible(megabytes: number): string[] {
    const text = randomBytes(megabytes * 750_000).toString('base64url');
    return Array.from({ length: text.length / 160 }, (_, index) => text.slice(160 * index, 160 * (index + 1)));
  }

  const toCsv = (values: readonly string[]) => `n\n${values.join('\n')}\n`;
  const toNdjson = (values: readonly string[]) => values.map((n) => `{"n":"${n}"}\n`).join('');

  async function expectRows(table: string, values: readonly string[]): Promise<void> {
    const id = await program.execute(`SELECT n FROM ${table}`);
    await program.untilEnded(id);
    expect((await program.read(id)).csv).toBe(toCsv(values));
  }

  /** A place in the data folder, as the service sees it. */
  const inDataDir = (path: string) => `/proc/${program.pid}/root${join(dataDir, path)}`;

  /** Names of files below a folder of the data folder. */
  async function filesIn(folder: string): Promise<string[]> {
    const entries = await readdir(inDataDir(folder), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  /** Bytes of the parts of a table. */
  async function sizeOf(table: string): Promise<number> {
    const { tables } = (await (await program.fetch('/tables')).json()) as { tables: any[] };
    return Number(tables.find(({ full_name }) => full_name === `demo.${table}`).table_size_bytes);
  }

  /**
   * Takes the room of the disk, but for so many blocks, whatever the service takes or releases
   * meanwhile.
   */
  async function leaveBlocks(count: number): Promise<void> {
    await using filler = await open(inDataDir('filler'), 'a');
    await until(async () => {
      const { bavail, bsize } = await statfs(inDataDir('.'));
      const missing = (bavail - count) * bsize;
      if (missing < 0) await filler.truncate((await filler.stat()).size + missing);
      // It takes what there is, where the service was faster.
      if (missing > 0) await filler.write(Buffer.alloc(missing)).catch(() => {});
      return missing === 0;
    });
  }

  const makeRoom = () => rm(inDataDir('filler'), { force: true });

  /**
   * Expects that data was refused in words, and that nothing of it stays beside the parts that were
   * there.
   */
  async function expectRefused(answer: Response, parts: readonly string[]): Promise<void> {
    expect([answer.status, await answer.json()]).toEqual([507, NO_ROOM]);
    expect(await filesIn('tables')).toEqual(parts);
    expect(await filesIn('staging')).toEqual([]);
  }

  it.each(TOO_LARGE)('refuses an upload of which $where, and leaves nothing of it', async ({ megabytes }) => {
    const before = await filesIn('tables');
    await expectRefused(await upload('sizes', toCsv(incompressible(megabytes))), before);
    await expectRows('sizes', ['1', '2']);
  });

  it.each(TOO_LARGE)('refuses an insert of CSV of which $where, and leaves nothing of it', async ({ megabytes }) => {
    const before = await filesIn('tables');
    await expectRefused(await insert('texts', toCsv(incompressible(megabytes))), before);
    await expectRows('texts', ['first']);
  });

  it.each(TOO_LARGE)('refuses an insert of NDJSON of which $where, and leaves nothing of it', async ({ megabytes }) => {
    const before = await filesIn('tables');
    await expectRefused(await insert('texts', toNdjson(incompressible(megabytes)), NDJSON), before);
    await expectRows('texts', ['first']);
  });

  it.each([
    { contentType: CSV, toText: toCsv },
    { contentType: NDJSON, toText: toNdjson },
  ])(
    'takes an insert of $contentType once there is room for its text, its part and its row',
    async ({ contentType, toText }) => {
      expect((await upload('growing', toCsv(['first']))).status).toBe(200);
      const before = await filesIn('tables');
      const insertWith = async (blocks: number) => {
        await leaveBlocks(blocks);
        return insert('growing', toText(['next']), contentType).finally(makeRoom);
      };
      let blocks = 0;
      let answer = await insertWith(blocks);
      for (; answer.status !== 200; answer = await insertWith(++blocks)) await expectRefused(answer, before);
      // Its text takes one, and its part another: with two, the catalog has found no room.
      expect(blocks).toBeGreaterThan(2);
      await expectRows('growing', ['first', 'next']);
    },
  );

  it('keeps the parts that a merge finds no room for, and merges them once it does', async () => {
    const values: string[] = [];
    const next = () => {
      values.push(randomBytes(900).toString('base64url'));
      return toCsv(values.slice(-1));
    };
    expect((await upload('many', next())).status).toBe(200);
    let storedBytes = await sizeOf('many');
    const insertNext = async () => {
      const answer = await insert('many', next());
      expect(answer.status).toBe(200);
      storedBytes += ((await answer.json()) as { bytes_written: number }).bytes_written;
    };
    while (values.length < 15) await insertNext();
    const before = (await filesIn('tables')).length;
    const failures = () => program.output.match(/Parts of a table could not be merged/g)?.length ?? 0;
    const isMerged = async () => (await sizeOf('many')) < storedBytes;
    // The sixteenth part is what makes them worth a merge, and for that part itself there is room.
    for (let round = 1; !(await isMerged()); round++) {
      await leaveBlocks(4 + 4 * round);
      await insertNext();
      await until(async () => failures() === round || (await isMerged()));
      const merged = failures() === round ? 0 : 1;
      expect(await filesIn('tables')).toHaveLength(before + round + merged);
      expect(await filesIn('staging')).toEqual([]);
      await makeRoom();
      await expectRows('many', values);
    }
    // At first its part did not fit; then it did, and the catalog could not be written.
    expect(program.output).toMatch(/"TableMerger".*no disk space left/);
    expect(program.output).toMatch(/"TableMerger".*database or disk is full/);
  });

  it('fails an execution whose result does not fit, in words', async () => {
    const id = await program.execute('SELECT md5(range::VARCHAR) AS hash FROM range(2000000)');
    expect(await program.untilEnded(id)).toMatchObject({
      state: 'QUERY_STATE_FAILED',
      error: { type: 'FAILED_TYPE_INTERNAL', message: 'The service has no disk space left for this run' },
    });
    // Its folder goes a moment later; one that is going cannot be listed.
    await until(async () => (await filesIn('runs').catch(() => ['going'])).length === 0);
    await expectRows('sizes', ['1', '2']);
  });

  it('keeps nothing EXECUTING and nothing PENDING once there is room again', async () => {
    // Runs for a second or so.
    const running = await program.execute('SELECT count(*) AS n FROM range(150000000) WHERE sqrt(range) >= 0');
    const waiting = await program.execute('SELECT 42 AS answer');
    await program.untilStatus(running, (status) => status.state === 'QUERY_STATE_EXECUTING');
    await leaveBlocks(0);
    await program.untilOutput(/The catalog cannot be written now; trying again/);
    expect(await program.status(running)).toMatchObject({ state: 'QUERY_STATE_EXECUTING' });
    expect(await program.status(waiting)).toMatchObject({ state: 'QUERY_STATE_PENDING', queue_position: 1 });
    await makeRoom();
    // Whether its small result found a place decides how it ends.
    const { state } = await program.untilEnded(running);
    expect(state).toMatch(/^QUERY_STATE_(COMPLETED|FAILED)$/);
    expect(await program.untilEnded(waiting)).toMatchObject({ state: 'QUERY_STATE_COMPLETED' });
    expect((await program.read(waiting)).csv).toBe('answer\n42\n');
  });

  it('is a cause for which the service is not ready, until there is room again', async () => {
    const ready = () => fetch(`${program.url}/health/ready`);
    const untilStatus = (status: number) => until(async () => (await ready()).status === status);
    await leaveBlocks(2);
    await untilStatus(503);
    expect(await (await ready()).json()).toEqual({
      error: expect.stringMatching(/its disk has [\d.]+ (?:kB|bytes) free, less than MIN_FREE_DISK \(1 MB\)/),
      code: 'not_ready',
      causes: expect.arrayContaining(['disk_full']),
    });
    await makeRoom();
    await untilStatus(200);
  });

  it('is mounted by root only, of which the log warns', async () => {
    await program.untilOutput(/"message":"Eider is running as root\. Untrusted SQL then runs as root too/);
  });

  it('does not keep the next upload from working', async () => {
    expect((await upload('sizes', toCsv(['3']))).status).toBe(200);
    await expectRows('sizes', ['3']);
  });
});
