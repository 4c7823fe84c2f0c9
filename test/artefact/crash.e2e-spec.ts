import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Program, untilNobodyWorksIn } from '../support/program.js';

const SQL = `SELECT range AS n, 'row "' || range || '", é' AS text FROM range(1000)`;

describe('a crash of the service', () => {
  let dataDir: string;
  let program: Program | undefined;
  /** An execution that ended before any crash, and its result as it was read then. */
  let finished: { id: string; result: Awaited<ReturnType<Program['read']>> };

  const serve = async (settings: Record<string, string> = {}): Promise<Program> => {
    program = await Program.serve({ DATA_DIR: dataDir, ...settings });
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

  function inCatalog(sql: string): Record<string, SQLOutputValue>[] {
    const catalog = new DatabaseSync(join(dataDir, 'catalog.db'));
    const rows = catalog.prepare(sql).all();
    catalog.close();
    return rows;
  }

  /** Expects the files of the results that can be read, and no others. */
  async function expectNoRemains(): Promise<void> {
    const stored = inCatalog('SELECT result_file FROM executions WHERE result_file IS NOT NULL');
    const files = (await readdir(join(dataDir, 'results'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    expect(new Set(files)).toEqual(new Set(stored.map((row) => row.result_file)));
    expect(await readdir(join(dataDir, 'runs'))).toEqual([]);
  }

  /** Lets the service die at a point of an execution, and gives what the catalog then knows of the execution. */
  async function crashAt(point: string): Promise<{ id: string; state: string; attempt: number }> {
    const crashing = await serve({ TEST_FAULT_POINT: point });
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
    expect(json).toMatchObject({ metadata: { row_count: 1000 } });
    expect(await restarted.read(finished.id)).toEqual(finished.result);
    await expectNoRemains();
  });

  it('fails an execution that was running at each of MAX_ATTEMPTS crashes', async () => {
    const { id } = await crashAt('execution-begun');
    const again = Program.run(['serve'], { DATA_DIR: dataDir, TEST_FAULT_POINT: 'execution-begun', MAX_ATTEMPTS: '2' });
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

  it('in the middle of a sweep leaves an expired execution, whose file goes at the next start', async () => {
    const [{ id } = {}] = inCatalog(`SELECT id FROM executions WHERE state = 'COMPLETED' ORDER BY id DESC LIMIT 1`);
    inCatalog(`UPDATE executions SET expires_at = '2020-01-01T00:00:00.000Z' WHERE id = '${id}'`);
    const sweep = Program.run(['sweep'], { DATA_DIR: dataDir, TEST_FAULT_POINT: 'result-expired' });
    expect(await sweep.exited).toMatchObject({ signal: 'SIGKILL' });
    const restarted = await serve();
    expect(await restarted.status(String(id))).toMatchObject({ state: 'QUERY_STATE_EXPIRED' });
    expect(await restarted.read(finished.id)).toEqual(finished.result);
    await expectNoRemains();
  });
});
