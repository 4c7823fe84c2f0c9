import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { findResultFile } from '../support/engine/result-file.js';
import { expectWell } from '../support/expect-well.js';
import { inCatalogOf } from '../support/in-catalog.js';
import { Program, untilNobodyWorksIn } from '../support/program.js';
import { storedFileBytes } from '../support/stored-file-bytes.js';
import { until } from '../support/until.js';

const SQL = `SELECT range AS n, 'row "' || range || '", é' AS text FROM range(1000)`;

describe('a crash of the service', () => {
  let dataDir: string;
  let program: Program | undefined;
  /** An execution that ended before any crash, and its result as it was read then. */
  let finished: { id: string; result: Awaited<ReturnType<Program['read']>> };

  const serve = async (settings: Record<string, string> = {}): Promise<Program> => {
    // Orphans go at once, so that a restart shows which ones there were.
    program = await Program.serve({ DATA_DIR: dataDir, ORPHAN_GRACE: '0', ...settings });
    return program;
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'eider-crash-'));
    const first = await serve();
    const id = await first.execute(SQL);
    await first.untilEnded(id);
    finished = { id, result: await first.read(id) };
    await first.stop('SIGKILL');
  });
  afterEach(async () => {
    await program?.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  const inCatalog = (sql: string) => inCatalogOf(dataDir, sql);

  /** Names of all files in the result store. */
  async function storedFiles(): Promise<string[]> {
    const entries = await readdir(join(dataDir, 'results'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  /** Expects the files of the results that can be read, no others, and no finding of doctor. */
  async function expectNoRemains(): Promise<void> {
    const stored = inCatalog('SELECT result_file FROM executions WHERE result_file IS NOT NULL');
    expect(new Set(await storedFiles())).toEqual(new Set(stored.map((row) => row.result_file)));
    expect(await readdir(join(dataDir, 'runs'))).toEqual([]);
    expect(inCatalog('SELECT result_bytes FROM accounts')).toEqual([{ result_bytes: await storedFileBytes(dataDir) }]);
    await expectWell(dataDir);
  }

  /**
   * What a results call answers of the rows, as it was sent: all but the fields of the execution
   * before it.
   */
  const resultIn = (json: string) =>
    json.slice(json.indexOf('"result":')).replace(/"(pending|execution)_time_millis":\d+/g, '"$1_time_millis":0');

  /**
   * Lets the service die at a point of an execution, and gives what the catalog then has of the
   * execution.
   */
  async function crashAt(point: string): Promise<{ id: string; state: string; attempt: number }> {
    const crashing = await serve({ TEST_FAILPOINT: `${point}=crash` });
    // The answer may be lost with the process.
    await crashing.execute(SQL).catch(() => {});
    expect(await crashing.exited).toMatchObject({ signal: 'SIGKILL' });
    await untilNobodyWorksIn(dataDir);
    const [row] = inCatalog('SELECT id, state, attempt FROM executions ORDER BY id DESC LIMIT 1');
    return row as { id: string; state: string; attempt: number };
  }

  it.each([
    { point: 'execution-inserted', state: 'PENDING', attempts: 1 },
    { point: 'execution-begun', state: 'EXECUTING', attempts: 2 },
    { point: 'run-ended', state: 'EXECUTING', attempts: 2 },
    { point: 'result-renamed', state: 'EXECUTING', attempts: 2 },
    { point: 'result-committed', state: 'COMPLETED', attempts: 1 },
  ])('at $point leaves an execution $state that completes after the restart', async ({ point, state, attempts }) => {
    const left = await crashAt(point);
    expect(left.state).toBe(state);
    const restarted = await serve();
    expect(await restarted.untilEnded(left.id)).toMatchObject({ state: 'QUERY_STATE_COMPLETED' });
    expect(inCatalog(`SELECT attempt FROM executions WHERE id = '${left.id}'`)).toEqual([{ attempt: attempts }]);
    const { json, csv } = await restarted.read(left.id);
    expect(csv).toBe(finished.result.csv);
    expect(resultIn(json)).toBe(resultIn(finished.result.json));
    expect(await restarted.read(finished.id)).toEqual(finished.result);
    await expectNoRemains();
  });

  it('in the middle of the write of a result leaves nothing of it, and the next attempt writes it whole', async () => {
    const crashing = await serve();
    const id = await crashing.execute('SELECT range AS n, md5(range::VARCHAR) AS text FROM range(1000000)');
    const written = () => {
      const path = findResultFile(join(dataDir, 'runs'), id);
      return path === undefined ? Buffer.alloc(0) : readFileSync(path);
    };
    await until(() => written().length > 0);
    await crashing.stop('SIGKILL');
    expect(inCatalog(`SELECT state, attempt FROM executions WHERE id = '${id}'`)).toEqual([
      { state: 'EXECUTING', attempt: 1 },
    ]);
    // A finished file of this format ends as it begins.
    expect(written().subarray(0, 4).toString()).toBe('PAR1');
    expect(written().subarray(-4).toString()).not.toBe('PAR1');
    await untilNobodyWorksIn(dataDir);
    const restarted = await serve();
    expect(await restarted.untilEnded(id)).toMatchObject({
      state: 'QUERY_STATE_COMPLETED',
      result_metadata: { total_row_count: 1_000_000 },
    });
    expect(inCatalog(`SELECT attempt FROM executions WHERE id = '${id}'`)).toEqual([{ attempt: 2 }]);
    const last = await restarted.fetch(`/execution/${id}/results/csv?offset=999999`);
    expect(await last.text()).toBe(`n,text\n999999,${createHash('md5').update('999999').digest('hex')}\n`);
    expect(await restarted.read(finished.id)).toEqual(finished.result);
    await expectNoRemains();
  });

  it('fails an execution that was running at each of MAX_ATTEMPTS crashes', async () => {
    const { id } = await crashAt('execution-begun');
    const again = Program.run(['serve'], {
      DATA_DIR: dataDir,
      TEST_FAILPOINT: 'execution-begun=crash',
      MAX_ATTEMPTS: '2',
    });
    expect(await again.exited).toMatchObject({ signal: 'SIGKILL' });
    const restarted = await serve({ MAX_ATTEMPTS: '2' });
    expect(await restarted.status(id)).toMatchObject({
      state: 'QUERY_STATE_FAILED',
      is_execution_finished: true,
      error: {
        type: 'FAILED_TYPE_INTERNAL',
        message: 'The service stopped while running this query, 2 times',
      },
    });
    await expectNoRemains();
  });

  it.each([
    { sweep: 'eider sweep', command: 'sweep', point: 'result-expired', states: ['COMPLETED', 'EXPIRED'], filesLeft: 2 },
    { sweep: 'eider sweep', command: 'sweep', point: 'result-deleted', states: ['COMPLETED', 'EXPIRED'], filesLeft: 1 },
    {
      sweep: 'the sweep with which the service starts',
      command: 'serve',
      point: 'orphan-deleted',
      states: ['EXPIRED', 'EXPIRED'],
      filesLeft: 1,
    },
  ])('at $point of $sweep loses no other result, and the next start or sweep ends it', async (crash) => {
    const first = await serve();
    const ids = [await first.execute(SQL), await first.execute(SQL)];
    for (const id of ids) await first.untilEnded(id);
    await first.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
    const filesOf = async (some: string[]) =>
      (await storedFiles()).filter((name) => some.some((id) => name.startsWith(id)));
    const among = `id IN ('${ids.join("', '")}')`;
    inCatalog(`UPDATE executions SET expires_at = '2020-01-01T00:00:00.000Z' WHERE ${among}`);
    // As a crash between row and file leaves them.
    if (crash.command === 'serve') {
      const bytes = `SELECT sum(result_bytes) FROM executions WHERE ${among}`;
      inCatalog(`UPDATE accounts SET result_bytes = result_bytes - (${bytes})`);
      inCatalog(`UPDATE executions SET state = 'EXPIRED', result_file = NULL WHERE ${among}`);
    }

    const settings = { DATA_DIR: dataDir, ORPHAN_GRACE: '0', TEST_FAILPOINT: `${crash.point}=crash` };
    program = Program.run([crash.command], settings);
    expect(await program.exited).toMatchObject({ signal: 'SIGKILL' });
    await untilNobodyWorksIn(dataDir);
    expect(inCatalog(`SELECT state FROM executions WHERE ${among} ORDER BY state`)).toEqual(
      crash.states.map((state) => ({ state })),
    );
    expect(await filesOf(ids)).toHaveLength(crash.filesLeft);

    const restarted = await serve();
    for (const id of ids) expect(await restarted.status(id)).toMatchObject({ state: 'QUERY_STATE_EXPIRED' });
    expect(await restarted.read(finished.id)).toEqual(finished.result);
    await expectNoRemains();
    expect(await Program.run(['sweep'], { DATA_DIR: dataDir }).exited).toMatchObject({ code: 0 });
    expect(await filesOf(ids)).toEqual([]);
    expect(await restarted.read(finished.id)).toEqual(finished.result);
  });
});
