import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Program, untilNobodyWorksIn } from '../support/program.js';
import { until } from '../support/until.js';

const DISK_MEGABYTES = 24;
const NO_ROOM = {
  error: 'The service has no disk space left for this: ask its operator to free some, then try again',
  code: 'disk_full',
};

describe('a full disk', () => {
  let dataDir: string;
  let program: Program;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'eider-disk-full-'));
    program = await Program.serveOnDiskOf(DISK_MEGABYTES, { DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
    expect((await upload('n\n1\n2\n')).status).toBe(200);
  });
  afterAll(async () => {
    await program.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
    await rm(dataDir, { recursive: true });
  });

  const upload = (data: string) =>
    program.fetch('/table/upload/csv', { method: 'POST', body: { table_name: 'sizes', data } });

  /** A text of so many megabytes that does not get smaller. */
  const incompressible = (megabytes: number) => {
    const line = () => Array.from({ length: 16 }, () => Math.random().toString(36).slice(2, 12)).join('');
    return `n\n${Array.from({ length: (megabytes * 1e6) / 161 }, line).join('\n')}\n`;
  };

  async function expectRows(csv: string): Promise<void> {
    const id = await program.execute('SELECT n FROM sizes');
    await program.untilEnded(id);
    expect((await program.read(id)).csv).toBe(csv);
  }

  /** A place in the data folder, as the service sees it. */
  const inDataDir = (path: string) => `/proc/${program.pid}/root${join(dataDir, path)}`;

  /** Names of files below a folder of the data folder. */
  async function filesIn(folder: string): Promise<string[]> {
    const entries = await readdir(inDataDir(folder), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  it.each([
    { where: 'its text does not fit', megabytes: 2 * DISK_MEGABYTES },
    { where: 'its text fits and its part does not', megabytes: 0.6 * DISK_MEGABYTES },
  ])('refuses an upload of which $where, and leaves nothing of it', async ({ megabytes }) => {
    const before = await filesIn('tables');
    const refused = await upload(incompressible(megabytes));
    expect([refused.status, await refused.json()]).toEqual([507, NO_ROOM]);
    expect(await filesIn('tables')).toEqual(before);
    expect(await filesIn('staging')).toEqual([]);
    await expectRows('n\n1\n2\n');
  });

  it('fails an execution whose result does not fit, in words', async () => {
    const id = await program.execute('SELECT md5(range::VARCHAR) AS hash FROM range(2000000)');
    expect(await program.untilEnded(id)).toMatchObject({
      state: 'QUERY_STATE_FAILED',
      error: { type: 'FAILED_TYPE_INTERNAL', message: 'The service has no disk space left for this run' },
    });
    // Its folder goes a moment later; one that is going cannot be listed.
    await until(async () => (await filesIn('runs').catch(() => ['going'])).length === 0);
    await expectRows('n\n1\n2\n');
  });

  it('keeps nothing EXECUTING and nothing PENDING once there is room again', async () => {
    // Runs for a second or so.
    const running = await program.execute('SELECT count(*) AS n FROM range(400000000) WHERE sqrt(range) >= 0');
    const waiting = await program.execute('SELECT 42 AS answer');
    await program.untilStatus(running, (status) => status.state === 'QUERY_STATE_EXECUTING');
    const filler = inDataDir('filler');
    for (let bytes = 2 ** 20; bytes >= 1; ) {
      await appendFile(filler, Buffer.alloc(bytes)).catch(() => {
        bytes /= 2;
      });
    }
    await program.untilOutput(/The catalog cannot be written now; trying again/);
    expect(await program.status(running)).toMatchObject({ state: 'QUERY_STATE_EXECUTING' });
    expect(await program.status(waiting)).toMatchObject({ state: 'QUERY_STATE_PENDING', queue_position: 1 });
    await rm(filler);
    // Whether its small result found a place decides how it ends.
    const { state } = await program.untilEnded(running);
    expect(state).toMatch(/^QUERY_STATE_(COMPLETED|FAILED)$/);
    expect(await program.untilEnded(waiting)).toMatchObject({ state: 'QUERY_STATE_COMPLETED' });
    expect((await program.read(waiting)).csv).toBe('answer\n42\n');
  });

  it('is mounted by root only, of which the log warns', async () => {
    await program.untilOutput(/"message":"The service runs as root, and so do the processes that run untrusted SQL/);
  });

  it('does not keep the next upload from working', async () => {
    expect((await upload('n\n3\n')).status).toBe(200);
    await expectRows('n\n3\n');
  });
});
