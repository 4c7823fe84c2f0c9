import { spawnSync } from 'node:child_process';
import { chmod, link, lstat, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { examineFolder } from '../support/expect-well.js';
import { Program, untilNobodyWorksIn } from '../support/program.js';
import { until } from '../support/until.js';

const NOBODY = '65534';
const SPILLING = 'SELECT a.range, md5(a.range::VARCHAR) AS m FROM range(3000000) a ORDER BY m';

describe('the files of the data folder', () => {
  let parent: string;
  let dataDir: string;
  let program: Program | undefined;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'eider-modes-'));
    // What guards the data must be the data folder itself.
    await chmod(parent, 0o755);
    dataDir = join(parent, 'data');
  });
  afterEach(async () => {
    await program?.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
    await rm(parent, { recursive: true });
  });

  /**
   * The names of all files and folders, from the data folder on, that others than their owner may
   * use.
   */
  async function findOpen(): Promise<string[]> {
    const names = ['', ...(await readdir(dataDir, { recursive: true }))];
    const found = await Promise.all(
      names.map(async (name) => ({ name, mode: (await lstat(join(dataDir, name)).catch(() => undefined))?.mode ?? 0 })),
    );
    return found.filter(({ mode }) => (mode & 0o077) !== 0 && (mode & 0o170000) !== 0o120000).map(({ name }) => name);
  }

  /** Tries to read as another user, which only root can do. */
  function expectClosedToNobody(): void {
    if (process.getuid?.() !== 0) return;
    for (const command of [
      ['cat', 'catalog.db'],
      ['cat', 'catalog.db-wal'],
      ['ls', '.'],
    ]) {
      const [program = '', file = ''] = command;
      const asNobody = ['--reuid', NOBODY, '--regid', NOBODY, '--clear-groups', program, join(dataDir, file)];
      const { status, stderr } = spawnSync('setpriv', asNobody, { encoding: 'utf8' });
      expect({ file, isRead: status === 0, stderr }).toEqual({
        file,
        isRead: false,
        stderr: expect.stringContaining('Permission denied'),
      });
    }
  }

  const filesIn = async (folder: string) => (await readdir(join(dataDir, folder), { recursive: true })).sort();

  const serve = (settings: Record<string, string> = {}) => Program.serve({ DATA_DIR: dataDir, ...settings });

  it('are open to their owner only, while uploads, runs and reads are under way and after a stop', async () => {
    program = await serve();
    expect(await findOpen()).toEqual([]);
    expectClosedToNobody();
    await program.fetch('/table/upload/csv', { method: 'POST', body: { table_name: 'sizes', data: 'n\n1\n2\n' } });
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('n\n3\n')) });
    const inserting = program.fetch('/table/demo/sizes/insert', { method: 'POST', body, contentType: 'text/csv' });
    inserting.catch(() => {});
    await until(async () => (await filesIn('staging')).length > 0);
    const done = await program.execute('SELECT range, md5(range::VARCHAR) FROM sizes, range(150000)');
    await program.untilEnded(done);
    const reading = await program.openCsv(done);
    await reading.next();
    const running = await program.execute(SPILLING);
    await until(async () => (await filesIn('runs')).some((name) => name.includes('/tmp/')));
    expect(await findOpen()).toEqual([]);
    expect(await filesIn('readers')).toContainEqual(expect.stringContaining('bulk-0'));
    await program.untilStatus(running, (status) => status.state !== 'QUERY_STATE_PENDING');
    await program.stop('SIGTERM');
    await untilNobodyWorksIn(dataDir);
    await Program.run(['key', 'create', 'demo'], { DATA_DIR: dataDir }).exited;
    expect(await findOpen()).toEqual([]);
    expect(await filesIn('.')).toEqual(
      expect.arrayContaining(['catalog.db', 'serving.lock', expect.stringMatching(/^results\/../)]),
    );
  });

  describe('of an older version', () => {
    const doctor = async (...options: string[]) => {
      const { code, output } = await Program.run(['doctor', '--json', ...options], { DATA_DIR: dataDir }).exited;
      const findings = JSON.parse(output) as { name: string }[];
      return { code, finding: findings.find(({ name }) => name === 'file modes') };
    };

    async function givenFile(path: string, mode: number): Promise<void> {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, '');
      await chmod(path, mode);
    }

    beforeEach(async () => {
      program = await serve();
      await program.stop('SIGTERM');
      await untilNobodyWorksIn(dataDir);
      await chmod(join(dataDir, 'catalog.db'), 0o644);
      await chmod(dataDir, 0o755);
    });

    it('are named by a warning of serve and of doctor, and closed by doctor --repair', async () => {
      program = await serve({ LOG_LEVEL: 'warn' });
      expect(program.output).toContain('Other users of this machine can enter the data folder (DATA_DIR)');
      await givenFile(join(dataDir, 'results/A1/a.parquet'), 0o444);
      await mkdir(join(dataDir, 'readers/pinned'), { recursive: true });
      await link(join(dataDir, 'results/A1/a.parquet'), join(dataDir, 'readers/pinned/b.parquet'));
      expect(await doctor()).toEqual({
        code: 0,
        finding: {
          name: 'file modes',
          ok: true,
          isWarning: true,
          message: expect.stringMatching(
            /^\d+ files and folders are open to other users, first \. \(0755\): eider doctor --repair closes them$/,
          ),
        },
      });
      expect(await doctor('--repair')).toEqual({
        code: 0,
        finding: { name: 'file modes', ok: true, message: expect.stringMatching(/^closed \d+ files and folders/) },
      });
      expect(await findOpen()).toEqual([]);
      expect((await stat(join(dataDir, 'readers/pinned/b.parquet'))).mode & 0o777).toBe(0o400);
      expect((await stat(join(dataDir, 'catalog.db'))).mode & 0o777).toBe(0o600);
      const after = (await examineFolder(dataDir)).get('file modes');
      expect(after).toEqual({ ok: true, message: 'other users can read nothing' });
      expect((await fetch(`${program.url}/health/ready`)).status).toBe(200);
    });

    it('are followed to a disk of their own, and nowhere else: not to linked files, nor through other links', async () => {
      const outside = join(parent, 'outside');
      await givenFile(join(outside, 'linked.csv'), 0o644);
      await mkdir(join(dataDir, 'runs/01J-x/in'), { recursive: true });
      await link(join(outside, 'linked.csv'), join(dataDir, 'runs/01J-x/in/data.csv'));
      await symlink(outside, join(dataDir, 'elsewhere'));
      await rm(join(dataDir, 'tables'), { recursive: true, force: true });
      await givenFile(join(parent, 'disk/A1/part.parquet'), 0o444);
      await symlink(join(parent, 'disk'), join(dataDir, 'tables'));
      await examineFolder(dataDir, { repair: true });
      expect((await stat(join(outside, 'linked.csv'))).mode & 0o777).toBe(0o644);
      expect((await stat(join(parent, 'disk/A1/part.parquet'))).mode & 0o777).toBe(0o400);
      expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    });
  });
});
