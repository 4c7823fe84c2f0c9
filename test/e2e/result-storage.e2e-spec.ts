import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Catalog } from '../../src/catalog/catalog.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { storedFileBytes } from '../support/stored-file-bytes.js';

const ALLOWED = 100_000;
const WORKERS = 2;
/** Stores about 70 kB: text that hardly compresses. */
const rowsOf = (seed: number) => `SELECT md5((range * 7 + ${seed})::VARCHAR) AS text FROM range(2000)`;

describe('the storage of results', () => {
  let server: TestServer;
  let greedy: string;
  let other: string;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: String(WORKERS), RESULT_STORAGE_FREE: '100kB' });
    greedy = await server.givenKey('greedy', { plan: 'free' });
    other = await server.givenKey('other', { plan: 'free' });
  });
  afterAll(() => stopWithoutLeaks(server));

  const execute = (sql: string, key: string) => server.post('/sql/execute', { sql }, key);
  const listed = async (key: string) => (await server.get('/executions', { limit: 100 }, key)).body.executions;

  /** The bytes that count for an account, and those of its files. */
  async function bytesOf(handle: string): Promise<{ counted: number; inFiles: number }> {
    const catalog = server.app.get(Catalog);
    const account = await catalog
      .selectFrom('accounts')
      .selectAll()
      .where('handle', '=', handle)
      .executeTakeFirstOrThrow();
    const rows = await catalog.selectFrom('executions').select('id').where('account_id', '=', account.id).execute();
    const ids = rows.map(({ id }) => id);
    return { counted: Number(account.result_bytes), inFiles: await storedFileBytes(server.dataDir, ids) };
  }

  it('is bounded by the plan: execute is 402 while it is used up, for that account alone', async () => {
    const results = [await server.givenResult(rowsOf(1), greedy), await server.givenResult(rowsOf(2), greedy)];
    const { counted, inFiles } = await bytesOf('greedy');
    expect(counted).toBe(inFiles);
    expect(counted).toBeGreaterThan(ALLOWED);
    const used = `${Number((counted / 1_000).toFixed(1))} kB`;
    const refusal = {
      error:
        `The stored results of this account take ${used} and the plan free allows 100 kB: delete results with ` +
        'DELETE /api/v1/execution/{execution_id}, or change to the plan plus, which allows 50 GB',
      code: 'result_storage_full',
      bytes_used: counted,
      bytes_allowed: ALLOWED,
    };
    const before = (await listed(greedy)).length;
    const query = await server.givenQuery('SELECT 1 AS a', {}, greedy);
    for (const refused of [await execute('SELECT 1', greedy), await server.post(`/query/${query}/execute`, {}, greedy)])
      expect([refused.status, refused.body]).toEqual([402, refusal]);
    expect(await listed(greedy)).toHaveLength(before);
    // What is stored can be read, and others are not concerned.
    expect((await server.get(`/execution/${results[0]}/results`, { limit: 1 }, greedy)).status).toBe(200);
    await server.givenResult('SELECT 1', other);

    const deleted = await server.delete(`/execution/${results[0]}`, greedy);
    expect(deleted.body.freed_bytes).toBeGreaterThan(0);
    expect((await bytesOf('greedy')).counted).toBe(counted - deleted.body.freed_bytes);
    await server.givenResult('SELECT 1', greedy);
  });

  it('is checked again when an execution begins, so many at once pass it by no more than those that run', async () => {
    const key = await server.givenKey('crowd', { plan: 'free' });
    const started = await Promise.all(Array.from({ length: 10 }, (_, index) => execute(rowsOf(index), key)));
    expect(started.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    for (const { body } of started) await server.untilEnded(body.execution_id, key);
    const executions = await listed(key);
    const completed = executions.filter(({ state }: { state: string }) => state === 'QUERY_STATE_COMPLETED');
    const failed = executions.filter(({ state }: { state: string }) => state === 'QUERY_STATE_FAILED');
    expect(completed.length).toBeGreaterThanOrEqual(2);
    expect(completed.length).toBeLessThanOrEqual(1 + WORKERS);
    expect(completed.length + failed.length).toBe(10);
    for (const { error } of failed)
      expect(error).toEqual({
        type: 'FAILED_TYPE_RESULT_TOO_LARGE',
        message: expect.stringMatching(/^The stored results of this account take .* and the plan free allows 100 kB/),
      });
    const { counted, inFiles } = await bytesOf('crowd');
    expect(counted).toBe(inFiles);
    await server.givenResult('SELECT 1', other);
  });
});
