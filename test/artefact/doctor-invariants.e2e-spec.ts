import { chmod, mkdir, mkdtemp, open, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inCatalogOf } from '../support/in-catalog.js';
import { Program, untilNobodyWorksIn } from '../support/program.js';

const LONG_AGO = new Date('2020-01-01T00:00:00.000Z');

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  readonly problems?: readonly string[];
}

describe('eider doctor, of what must hold in a data folder', () => {
  let dataDir: string;
  let server: Program | undefined;
  let id: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'eider-invariants-'));
    server = await Program.serve({ DATA_DIR: dataDir });
    const upload = { table_name: 'sizes', data: 'n,t\n1,a\n2,b\n' };
    await server.fetch('/table/upload/csv', { method: 'POST', body: upload });
    id = await server.execute('SELECT range AS n, md5(range::VARCHAR) AS text FROM range(1000)');
    await server.untilEnded(id);
  });
  afterEach(async () => {
    await server?.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
    await rm(dataDir, { recursive: true });
  });

  async function stop(): Promise<void> {
    await server?.stop('SIGTERM');
    server = undefined;
  }

  const inCatalog = (sql: string) => inCatalogOf(dataDir, sql);

  /** Runs the command; returns its exit code, and what each check reports. */
  async function examine(...options: string[]): Promise<{ code: number | null; findings: Map<string, Finding> }> {
    const { code, output } = await Program.run(['doctor', '--json', ...options], { DATA_DIR: dataDir }).exited;
    const findings = JSON.parse(output) as Finding[];
    return { code, findings: new Map(findings.map((finding) => [finding.name, finding])) };
  }

  /** Expects that one check fails, and that `--repair` mends it, if it can, in these words. */
  async function expectProblem(check: string, problem: string, repaired?: string): Promise<void> {
    const { code, findings } = await examine();
    const failed = [...findings.values()].filter(({ ok }) => !ok);
    expect({ code, failed }).toEqual({
      code: 1,
      failed: [{ name: check, ok: false, message: `1 problem: ${problem}`, problems: [problem] }],
    });
    const after = await examine('--repair');
    expect(after.code).toBe(repaired === undefined ? 1 : 0);
    if (repaired === undefined) return;
    expect(after.findings.get(check)?.message).toBe(repaired);
    expect((await examine()).code).toBe(0);
  }

  async function pathIn(store: string): Promise<string> {
    const names = await readdir(join(dataDir, store), { recursive: true });
    return join(dataDir, store, names.find((name) => name.endsWith('.parquet')) ?? '');
  }

  async function givenFile(name: string, modifiedAt: Date): Promise<void> {
    const path = join(dataDir, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '');
    await utimes(path, modifiedAt, modifiedAt);
  }

  it('finds results that are counted wrong, and counts them anew', async () => {
    const [account] = inCatalog('SELECT result_bytes FROM accounts');
    const bytes = Number(account?.result_bytes);
    inCatalog('UPDATE accounts SET result_bytes = result_bytes + 1');
    await expectProblem(
      'quotas',
      `the results of demo are counted as ${bytes + 1} bytes, and take ${bytes}`,
      'counted the results of demo anew',
    );
    expect(inCatalog('SELECT result_bytes FROM accounts')).toEqual([account]);
  });

  it('finds files without a row, and puts them on the list of the sweep', async () => {
    await givenFile('tables/A1/01M7Y6YNG0CMQ2C5R61DAM1DA1.parquet', LONG_AGO);
    await expectProblem(
      'orphans',
      'tables/01M7Y6YNG0CMQ2C5R61DAM1DA1.parquet has no row in the catalog',
      'listed 1 file without a row for the sweep',
    );
    expect((await examine()).findings.get('orphans')?.message).toBe(
      'all stored files have a row in the catalog, except 1 file that the sweep deletes after ORPHAN_GRACE',
    );
  });

  it('takes a young file without a row for one whose row is coming, while a server runs', async () => {
    await givenFile('results/A1/01M7Y6YNG0CMQ2C5R61DAM1DA1-1.parquet', new Date());
    expect((await examine()).code).toBe(0);
    await stop();
    expect((await examine()).findings.get('orphans')).toMatchObject({ ok: false });
  });

  it('finds executions that nothing runs, and lets the next start run them', async () => {
    const running = (await server?.execute('SELECT count(*) FROM range(100000000000)')) ?? '';
    await server?.untilStatus(running, ({ state }) => state === 'QUERY_STATE_EXECUTING');
    expect((await examine()).findings.get('executions')).toMatchObject({ ok: true, message: '1 running execution' });
    await server?.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
    server = undefined;
    await expectProblem(
      'executions',
      `the execution ${running} is EXECUTING, and no process runs it`,
      'ended 1 execution that no process runs: the next start runs them again, up to MAX_ATTEMPTS times',
    );
    expect(inCatalog(`SELECT state FROM executions WHERE id = '${running}'`)).toEqual([{ state: 'PENDING' }]);
  });

  it('finds executions that a running server does not run, and leaves them to it', async () => {
    inCatalog(`UPDATE executions SET state = 'EXECUTING', result_file = NULL WHERE id = '${id}'`);
    inCatalog('UPDATE accounts SET result_bytes = 0');
    await rm(await pathIn('results'));
    await expectProblem('executions', `the execution ${id} is EXECUTING, and no process runs it`);
  });

  it('finds executions whose state does not fit their result', async () => {
    inCatalog(`UPDATE executions SET state = 'FAILED' WHERE id = '${id}'`);
    inCatalog('UPDATE accounts SET result_bytes = 0');
    await expectProblem('results', `the execution ${id} is FAILED, which does not fit its result`);
  });

  it.each([
    ['UPDATE table_parts SET version = 7', 'the table demo.sizes has the version 1, and a part of version 7'],
    [
      "INSERT INTO removed_parts SELECT blob, '2030-01-01T00:00:00.000Z' FROM table_parts",
      expect.stringMatching(/^the part \w+\.parquet is marked as removed from its table$/),
    ],
  ])('finds tables that contradict their parts: %s', async (change, problem) => {
    inCatalog(change);
    const { code, findings } = await examine();
    expect({ code, tables: findings.get('tables')?.problems }).toEqual({ code: 1, tables: [problem] });
  });

  it('reads every value with --deep, and compares the numbers of rows', async () => {
    const well = await examine('--deep');
    expect(well.code).toBe(0);
    expect(well.findings.get('contents')?.message).toBe('every value of 2 stored files can be read');

    inCatalog('UPDATE table_parts SET row_count = 3');
    const path = await pathIn('results');
    await chmod(path, 0o600);
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(64, 0xff), 0, 64, 8);
    await file.close();
    expect((await examine()).code).toBe(0);
    const { code, findings } = await examine('--deep');
    expect(code).toBe(1);
    expect(findings.get('contents')?.problems).toEqual([
      expect.stringMatching(new RegExp(`^results/${id}-1\\.parquet cannot be read`)),
      expect.stringMatching(/^tables\/\w+\.parquet has 2 rows instead of 3$/),
    ]);
  });

  it('checks nothing in the catalog of an older version, and says so', async () => {
    await stop();
    inCatalog('ALTER TABLE executions DROP COLUMN replacements');
    inCatalog("DELETE FROM kysely_migration WHERE name = '010-replacements'");
    const { code, findings } = await examine('--repair');
    expect(code).toBe(1);
    expect(findings.get('catalog')).toMatchObject({ ok: false, message: expect.stringContaining('eider migrate') });
    for (const name of ['tables', 'results', 'executions', 'quotas', 'orphans', 'contents'])
      expect(findings.get(name)).toMatchObject({
        ok: true,
        isWarning: true,
        message: 'not checked: the catalog cannot be used',
      });
  });
});
