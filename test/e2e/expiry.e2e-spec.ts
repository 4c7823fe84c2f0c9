import { existsSync } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getTasks } from 'node-cron';
import { SweepService } from '../../src/sweep/sweep.service.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { SetClock } from '../support/set-clock.js';
import { expectNoNullKeys } from '../support/wire.js';

const DAY = 86_400;

describe('expiry', () => {
  const clock = new SetClock(new Date());
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start(
      { WORKERS: '1', RESULT_RETENTION_DAYS: '30', SWEEP_SCHEDULE: '41 3 * * *' },
      { clock },
    );
  });
  afterAll(async () => {
    await stopWithoutLeaks(server);
    expect(getTasks().size).toBe(0);
  });

  const sweep = (isDryRun = false) => server.app.get(SweepService).sweep({ isDryRun });

  /** Names of the result files that hold an execution's result. */
  async function filesOf(id: string): Promise<string[]> {
    const paths = await readdir(join(server.dataDir, 'results'), { recursive: true });
    return paths.filter((path) => path.includes(id));
  }

  /** Puts a file into the data folder that is so many seconds old, by the service's clock. */
  async function givenFile(name: string, ageSeconds: number): Promise<string> {
    const path = join(server.dataDir, name);
    const modifiedAt = new Date(clock.now().getTime() - ageSeconds * 1_000);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'left behind');
    await utimes(path, modifiedAt, modifiedAt);
    return path;
  }

  async function expectExpired(id: string, queryId: number): Promise<void> {
    for (const call of ['status', 'results']) {
      const { status, body } = await server.get(`/execution/${id}/${call}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ execution_id: id, state: 'QUERY_STATE_EXPIRED', is_execution_finished: true });
      expect(body).toMatchObject({
        query_id: queryId,
        execution_ended_at: expect.any(String),
        expires_at: expect.any(String),
      });
      for (const key of ['result', 'result_metadata', 'next_uri', 'error']) expect(body).not.toHaveProperty(key);
      expectNoNullKeys(body);
    }
    const csv = await server.get(`/execution/${id}/results/csv`);
    expect(csv.status).toBe(409);
    expect(csv.body).toEqual({
      error: 'Query state is QUERY_STATE_EXPIRED, cannot provide CSV result',
      code: 'no_result',
      state: 'QUERY_STATE_EXPIRED',
    });
    for (const call of ['results', 'results/csv']) {
      expect(await server.get(`/query/${queryId}/${call}`)).toMatchObject({
        status: 404,
        body: { error: 'not found: No execution found for the latest version of the given query' },
      });
    }
  }

  it('comes at the instant that expires_at told, before and after the sweep takes the file', async () => {
    const query = await server.givenQuery('SELECT 1 AS a');
    const id = await server.givenExecution(query);
    const before = (await server.get(`/execution/${id}/status`)).body;
    expect(new Date(before.expires_at).getTime() - new Date(before.execution_ended_at).getTime()).toBe(
      30 * DAY * 1_000,
    );

    clock.advance({ seconds: 30 * DAY - 1 });
    expect((await sweep()).expired).not.toContain(id);
    expect((await server.get(`/query/${query}/results`)).body.result.rows).toEqual([{ a: 1 }]);

    clock.advance({ seconds: 1 });
    await expectExpired(id, query);
    expect(await filesOf(id)).toHaveLength(1);

    expect((await sweep(true)).expired).toContain(id);
    expect(await filesOf(id)).toHaveLength(1);

    expect((await sweep()).expired).toContain(id);
    expect(await filesOf(id)).toEqual([]);
    await expectExpired(id, query);
    expect((await sweep()).expired).toEqual([]);
  });

  it('is seen by others, too, where they could read the result', async () => {
    const other = await server.givenKey('other');
    const query = await server.givenQuery('SELECT 1 AS a');
    const id = await server.givenExecution(query);
    clock.advance({ seconds: 31 * DAY });
    await sweep();
    const { status, body } = await server.get(`/execution/${id}/results`, {}, other);
    expect([status, body.state]).toEqual([200, 'QUERY_STATE_EXPIRED']);
  });

  it('leaves the latest result to the newest run that is still stored', async () => {
    const query = await server.givenQuery("SELECT '{{a}}' AS a");
    await server.givenExecution(query, { query_parameters: { a: 'old' } });
    clock.advance({ seconds: 20 * DAY });
    const kept = await server.givenExecution(query, { query_parameters: { a: 'new' } });
    clock.advance({ seconds: 20 * DAY });
    await sweep();
    expect((await server.get(`/query/${query}/results`)).body).toMatchObject({ execution_id: kept });
    expect((await server.get(`/query/${query}/results`, { 'params.a': 'old' })).status).toBe(404);
  });

  it('takes files along that no execution has, a day after it found them', async () => {
    const id = await server.givenResult('SELECT 1 AS a');
    const old = await givenFile('results/B1/01M7Y6YNG0CMQ2C5R61DAM1DB1-1.parquet', 601);
    const young = await givenFile('results/B2/01M7Y6YNG0CMQ2C5R61DAM1DB2-1.parquet', 599);
    const deleted = ['01M7Y6YNG0CMQ2C5R61DAM1DB1-1.parquet'];
    expect((await sweep()).orphans).toEqual({ deleted: [], kept: deleted, found: deleted });
    await utimes(young, clock.now(), new Date(clock.now().getTime() + DAY * 1_000));
    clock.advance({ seconds: DAY });
    expect((await sweep(true)).orphans).toEqual({ deleted, kept: [], found: [] });
    expect(existsSync(old)).toBe(true);
    expect((await sweep()).orphans).toEqual({ deleted, kept: [], found: [] });
    expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
    expect((await server.get(`/execution/${id}/results`)).body.result.rows).toEqual([{ a: 1 }]);
  });

  describe('on schedule', () => {
    const theTask = () => {
      const [task] = getTasks().values();
      if (!task) throw new Error('Nothing is scheduled');
      return task;
    };

    it('comes at SWEEP_SCHEDULE, in UTC', () => {
      expect(getTasks().size).toBe(1);
      expect(theTask().getNextRun()?.toISOString()).toMatch(/T03:41:00\.000Z$/);
    });

    it('sweeps results and the parts of tables', async () => {
      const query = await server.givenQuery('SELECT 1 AS a');
      const id = await server.givenExecution(query);
      clock.advance({ seconds: 30 * DAY });
      const orphan = await givenFile('results/B3/01M7Y6YNG0CMQ2C5R61DAM1DB3-1.parquet', 3_601);
      const part = await givenFile('tables/B4/01M7Y6YNG0CMQ2C5R61DAM1DB4.parquet', 3_601);
      await theTask().execute();
      expect(await filesOf(id)).toEqual([]);
      await expectExpired(id, query);
      expect([existsSync(orphan), existsSync(part)]).toEqual([true, true]);
      clock.advance({ seconds: DAY });
      await theTask().execute();
      expect([existsSync(orphan), existsSync(part)]).toEqual([false, false]);
    });
  });
});
