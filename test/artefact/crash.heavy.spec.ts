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

/** Crashes at failpoints are cases of `npm run faults`. */
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
});
