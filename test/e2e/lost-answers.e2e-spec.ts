import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { armFailpoints } from '../../src/config/failpoint.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';

describe('a change of the catalog that is committed, and reported as an error', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1' });
    await server.post('/table/upload/csv', { table_name: 'sizes', data: 'n\n1\n' });
  });
  afterEach(() => armFailpoints(undefined));
  afterAll(() => stopWithoutLeaks(server));

  async function execute(sql: string): Promise<unknown> {
    const { status, body } = await server.post('/sql/execute', { sql });
    expect(status).toBe(200);
    expect((await server.untilEnded(body.execution_id)).body).toMatchObject({ state: 'QUERY_STATE_COMPLETED' });
    return (await server.get(`/execution/${body.execution_id}/results`)).body.result.rows;
  }

  it.each([
    { change: 'that an execution waits', failpoints: 'catalog-committed=eio@1' },
    { change: 'that an execution has begun', failpoints: 'catalog-committed=eio@2' },
    { change: 'that an execution has completed', failpoints: 'catalog-committed=eio@3' },
    { change: 'that an execution is tried again', failpoints: 'run-ended=fail,catalog-committed=eio@3' },
  ])('leaves an execution with its result, if it states $change', async ({ failpoints }) => {
    armFailpoints(failpoints);
    expect(await execute('SELECT 42 AS answer')).toEqual([{ answer: 42 }]);
  });

  it('leaves no execution EXECUTING that nothing runs', async () => {
    armFailpoints('catalog-committed=fail@2');
    const { body } = await server.post('/sql/execute', { sql: 'SELECT 1' });
    expect((await server.untilEnded(body.execution_id)).body).toMatchObject({
      state: 'QUERY_STATE_FAILED',
      error: { type: 'FAILED_TYPE_INTERNAL' },
    });
  });

  it('leaves the parts of a table that it has', async () => {
    armFailpoints('catalog-committed=eio');
    const { status } = await server.post('/table/upload/csv', { table_name: 'sizes', data: 'n\n1\n2\n' });
    expect(status).toBe(500);
    expect(await execute('SELECT n FROM sizes')).toEqual([{ n: 1 }, { n: 2 }]);
  });
});
