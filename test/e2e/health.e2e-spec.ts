import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { Catalog } from '../../src/catalog/catalog.js';
import { findChildren } from '../support/child-processes.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const OK = { status: 200, body: { status: 'ok' } };

describe('health', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1' });
  });
  afterAll(() => stopWithoutLeaks(server));

  async function ask(
    check: 'live' | 'ready',
    url = server.url,
  ): Promise<{ status: number; body: any; retry?: string }> {
    const answer = await fetch(`${url}/health/${check}`);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    const retry = answer.headers.get('retry-after');
    return { status: answer.status, body: await answer.json(), ...(retry !== null && { retry }) };
  }

  /** Waits until the service reports a cause; meanwhile it must go on to live. */
  async function untilNotReady(cause: string, error: string): Promise<void> {
    await until(async () => (await ask('ready')).body.causes?.includes(cause) === true);
    expect(await ask('ready')).toEqual({
      status: 503,
      body: { error: `The service is not ready: ${error}`, code: 'not_ready', causes: [cause] },
      retry: '5',
    });
    expect(await ask('live')).toEqual(OK);
  }

  const untilReady = () => until(async () => (await ask('ready')).status === 200);
  const inCatalog = (text: string) => sql.raw(text).execute(server.app.get(Catalog));

  it.each(['live', 'ready'] as const)('is told at /health/%s, without a key', async (check) => {
    expect(await ask(check)).toEqual(OK);
  });

  it('is not ready while its catalog cannot be read, lives on, and is ready again', async () => {
    const { schema } = server.app.get(Catalog);
    await schema.alterTable('accounts').renameTo('moved_accounts').execute();
    await untilNotReady('catalog_failed', 'its catalog cannot be read (the log has the reason)');
    await schema.alterTable('moved_accounts').renameTo('accounts').execute();
    await untilReady();
  });

  it('is not ready while its catalog cannot be written', async () => {
    await inCatalog('PRAGMA query_only = ON');
    await untilNotReady('catalog_failed', 'its catalog cannot be written (the log has the reason)');
    await inCatalog('PRAGMA query_only = OFF');
    await untilReady();
  });

  it('leaves nothing in the catalog', async () => {
    expect(await server.app.get(Catalog).selectFrom('orphans').selectAll().execute()).toEqual([]);
  });

  it('is not ready while no process for runs can be started, and starts one as soon as it can', async () => {
    const runs = join(server.dataDir, 'runs');
    await rm(runs, { recursive: true });
    for (const pid of findChildren('run.child')) process.kill(pid, 'SIGKILL');
    await untilNotReady('no_process', 'no process for runs can be started (the log has the reason)');
    await mkdir(runs);
    await untilReady();
    await server.givenResult('SELECT 1 AS a');
  });

  it('is not ready while the disk has less room than it should', async () => {
    const full = await TestServer.start({ MIN_FREE_DISK: '1000TB' });
    const { status, body } = await ask('ready', full.url);
    expect([status, body]).toEqual([
      503,
      {
        error: expect.stringMatching(
          /^The service is not ready: its disk has [\d.]+ [kMGT]B free, less than MIN_FREE_DISK \(1000 TB\)$/,
        ),
        code: 'not_ready',
        causes: ['disk_full'],
      },
    ]);
    await full.stop();
  });
});
