import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExecutionId } from '../../src/catalog/ids.js';
import { ExecutionsRepository } from '../../src/executions/executions.repository.js';
import { findChildren, untilChild } from '../support/child-processes.js';
import { hasResultFile } from '../support/engine/result-file.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { ENDLESS } from '../support/wire.js';

/** Runs for half a second or more. */
const LONG = 'SELECT count(*) AS n FROM range(100000000) WHERE sqrt(range) >= 0';

describe('the death of a child process', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1', MAX_ATTEMPTS: '2' });
  });
  afterAll(() => stopWithoutLeaks(server));

  const start = async (sql: string) => (await server.post('/sql/execute', { sql })).body.execution_id as string;

  /** Kills every child that runs executions, or waits for one. */
  function killRunChildren(): void {
    for (const pid of findChildren('run.child.cjs')) process.kill(pid, 'SIGKILL');
  }

  it('during a run lets the execution be tried again', async () => {
    const id = await start(LONG);
    await until(() => hasResultFile(join(server.dataDir, 'runs'), id));
    killRunChildren();
    expect((await server.untilEnded(id)).body).toMatchObject({ state: 'QUERY_STATE_COMPLETED' });
    expect((await server.get(`/execution/${id}/results`)).body.result.rows).toEqual([{ n: 100_000_000 }]);
    expect(await server.app.get(ExecutionsRepository).find(id as ExecutionId)).toMatchObject({ attempt: 2 });
  });

  it('during each of MAX_ATTEMPTS runs fails the execution, and the next one is run', async () => {
    const id = await start(ENDLESS);
    for (;;) {
      const { body } = await server.get(`/execution/${id}/status`);
      if (body.is_execution_finished) break;
      killRunChildren();
      await setImmediate();
    }
    expect((await server.get(`/execution/${id}/status`)).body).toMatchObject({
      state: 'QUERY_STATE_FAILED',
      error: {
        type: 'FAILED_TYPE_INTERNAL',
        message: 'The query engine stopped while running this query, 2 times',
      },
    });
    const next = await server.givenResult('SELECT 42 AS answer');
    expect((await server.get(`/execution/${next}/results`)).body.result.rows).toEqual([{ answer: 42 }]);
  });

  it('during reads of pages is not noticed by those who read', async () => {
    const id = await server.givenResult('SELECT range AS n, md5(range::VARCHAR) AS text FROM range(300000)');
    const page = () => server.get(`/execution/${id}/results`, { sort_by: 'text', columns: 'n', limit: 1_000 });
    const before = await page();
    const pid = await untilChild('read.child.cjs');
    const pages = Promise.all(Array.from({ length: 8 }, page));
    process.kill(pid, 'SIGKILL');
    for (const { status, body } of await pages) {
      expect(status).toBe(200);
      expect(body.result).toEqual(before.body.result);
    }
    expect(findChildren('read.child.cjs')).not.toContain(pid);
  });
});
