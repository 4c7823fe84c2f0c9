import { chmod, cp, mkdir, open, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { examineFolder } from '../../../test/support/expect-well.js';
import { inCatalogOf } from '../../../test/support/in-catalog.js';
import { Program, untilNobodyWorksIn } from '../../../test/support/program.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

const LONG_AGO = new Date('2020-01-01T00:00:00.000Z');

/** A table of two rows and a result, which no server works with. */
let sound: string;
/** The execution of the result. */
let id: string;

beforeAll(async () => {
  sound = join(temporaryFolder(), 'data');
  const server = await Program.serve({ DATA_DIR: sound });
  const upload = { table_name: 'sizes', data: 'n,t\n1,a\n2,b\n' };
  await server.fetch('/table/upload/csv', { method: 'POST', body: upload });
  id = await server.execute('SELECT range AS n, md5(range::VARCHAR) AS text FROM range(1000)');
  await server.untilEnded(id);
  await server.stop('SIGTERM');
});

/** A copy of the folder for one test. */
async function givenCopy(): Promise<string> {
  const copy = join(temporaryFolder(), 'data');
  await cp(sound, copy, { recursive: true });
  return copy;
}

async function pathIn(dataDir: string, store: string): Promise<string> {
  const names = await readdir(join(dataDir, store), { recursive: true });
  return join(dataDir, store, names.find((name) => name.endsWith('.parquet')) ?? '');
}

async function givenFile(path: string, modifiedAt: Date): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '');
  await utimes(path, modifiedAt, modifiedAt);
}

/** The findings of what is wrong, by the name of the check. */
async function failuresIn(dataDir: string, options?: Parameters<typeof examineFolder>[1]) {
  return Object.fromEntries([...(await examineFolder(dataDir, options))].filter(([, { ok }]) => !ok));
}

/** The finding of a check that has found one problem. */
const only = (check: string, problem: string) => ({
  [check]: { ok: false, message: `1 problem: ${problem}`, problems: [problem] },
});

/** Expects that one check fails, and that a repair mends it, if it can, in these words. */
async function expectProblem(dataDir: string, check: string, problem: string, repaired?: string): Promise<void> {
  expect(await failuresIn(dataDir)).toEqual(only(check, problem));
  const after = await examineFolder(dataDir, { repair: true });
  expect([...after.values()].every(({ ok }) => ok)).toBe(repaired !== undefined);
  if (repaired === undefined) return;
  expect(after.get(check)?.message).toBe(repaired);
  expect(await failuresIn(dataDir)).toEqual({});
}

describe('the checks of a data folder without a server', () => {
  let dataDir: string;
  const inCatalog = (sql: string) => inCatalogOf(dataDir, sql);

  it('find results that are counted wrong, and count them anew', async () => {
    dataDir = await givenCopy();
    const [account] = inCatalog('SELECT result_bytes FROM accounts');
    const bytes = Number(account?.result_bytes);
    inCatalog('UPDATE accounts SET result_bytes = result_bytes + 1');
    await expectProblem(
      dataDir,
      'quotas',
      `the results of demo are counted as ${bytes + 1} bytes, and take ${bytes}`,
      'counted the results of demo anew',
    );
    expect(inCatalog('SELECT result_bytes FROM accounts')).toEqual([account]);
  });

  it('find files without a row, and put them on the list of the sweep', async () => {
    dataDir = await givenCopy();
    await givenFile(join(dataDir, 'tables/A1/01M7Y6YNG0CMQ2C5R61DAM1DA1.parquet'), LONG_AGO);
    await expectProblem(
      dataDir,
      'orphans',
      'tables/01M7Y6YNG0CMQ2C5R61DAM1DA1.parquet has no row in the catalog',
      'listed 1 file without a row for the sweep',
    );
    expect((await examineFolder(dataDir)).get('orphans')?.message).toBe(
      'all stored files have a row in the catalog, except 1 file that the sweep deletes after ORPHAN_GRACE',
    );
  });

  it('find executions whose state does not fit their result', async () => {
    dataDir = await givenCopy();
    inCatalog(`UPDATE executions SET state = 'FAILED' WHERE id = '${id}'`);
    inCatalog('UPDATE accounts SET result_bytes = 0');
    await expectProblem(dataDir, 'results', `the execution ${id} is FAILED, which does not fit its result`);
  });

  it.each([
    ['UPDATE table_parts SET version = 7', 'the table demo.sizes has the version 1, and a part of version 7'],
    [
      "INSERT INTO removed_parts SELECT blob, '2030-01-01T00:00:00.000Z' FROM table_parts",
      expect.stringMatching(/^the part \w+\.parquet is marked as removed from its table$/),
    ],
  ])('find tables that contradict their parts: %s', async (change, problem) => {
    dataDir = await givenCopy();
    inCatalog(change);
    expect((await examineFolder(dataDir)).get('tables')).toMatchObject({ ok: false, problems: [problem] });
  });

  it('read every value if they are to be deep, and compare the numbers of rows', async () => {
    dataDir = await givenCopy();
    const well = await examineFolder(dataDir, { deep: true });
    expect([...well.values()].every(({ ok }) => ok)).toBe(true);
    expect(well.get('contents')?.message).toBe('every value of 2 stored files can be read');

    inCatalog('UPDATE table_parts SET row_count = 3');
    const path = await pathIn(dataDir, 'results');
    await chmod(path, 0o600);
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(64, 0xff), 0, 64, 8);
    await file.close();
    expect(await failuresIn(dataDir)).toEqual({});
    expect(await failuresIn(dataDir, { deep: true })).toMatchObject({
      contents: {
        problems: [
          expect.stringMatching(new RegExp(`^results/${id}-1\\.parquet cannot be read`)),
          expect.stringMatching(/^tables\/\w+\.parquet has 2 rows instead of 3$/),
        ],
      },
    });
  });

  it('check nothing in the catalog of an older version, and say so', async () => {
    dataDir = await givenCopy();
    inCatalog('ALTER TABLE executions DROP COLUMN replacements');
    inCatalog("DELETE FROM kysely_migration WHERE name = '010-replacements'");
    const findings = await examineFolder(dataDir, { repair: true });
    expect(findings.get('catalog')).toMatchObject({ ok: false, message: expect.stringContaining('eider migrate') });
    for (const name of ['tables', 'results', 'executions', 'quotas', 'orphans', 'contents'])
      expect(findings.get(name)).toMatchObject({
        ok: true,
        isWarning: true,
        message: 'not checked: the catalog cannot be used',
      });
  });
});

describe('the checks of a data folder beside a server', () => {
  let dataDir: string;
  let server: Program;

  beforeAll(async () => {
    dataDir = await givenCopy();
    server = await Program.serve({ DATA_DIR: dataDir });
  });
  afterAll(async () => {
    await server.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
  });

  it('take a young file without a row for one whose row is coming, only while the server runs', async () => {
    const file = 'results/A1/01M7Y6YNG0CMQ2C5R61DAM1DA1-1.parquet';
    await givenFile(join(dataDir, file), new Date());
    expect(await failuresIn(dataDir)).toEqual({});
    await rm(join(dataDir, file));

    const alone = await givenCopy();
    await givenFile(join(alone, file), new Date());
    expect((await examineFolder(alone)).get('orphans')).toMatchObject({ ok: false });
  });

  it('find executions that the server does not run, and leave them to it', async () => {
    inCatalogOf(dataDir, `UPDATE executions SET state = 'EXECUTING', result_file = NULL WHERE id = '${id}'`);
    inCatalogOf(dataDir, 'UPDATE accounts SET result_bytes = 0');
    await rm(await pathIn(dataDir, 'results'));
    expect(await failuresIn(dataDir, { repair: true })).toEqual(
      only('executions', `the execution ${id} is EXECUTING, and no process runs it`),
    );
    inCatalogOf(dataDir, `DELETE FROM executions WHERE id = '${id}'`);
  });

  it('find executions that nothing runs any more, and let the next start run them', async () => {
    const running = await server.execute('SELECT count(*) FROM range(100000000000)');
    await server.untilStatus(running, ({ state }) => state === 'QUERY_STATE_EXECUTING');
    expect((await examineFolder(dataDir)).get('executions')).toEqual({ ok: true, message: '1 running execution' });
    await server.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
    await expectProblem(
      dataDir,
      'executions',
      `the execution ${running} is EXECUTING, and no process runs it`,
      'ended 1 execution that no process runs: the next start runs them again, up to MAX_ATTEMPTS times',
    );
    expect(inCatalogOf(dataDir, `SELECT state FROM executions WHERE id = '${running}'`)).toEqual([
      { state: 'PENDING' },
    ]);
  });
});
