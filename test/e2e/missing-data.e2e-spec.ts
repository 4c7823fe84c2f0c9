import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/auth/accounts.service.js';
import { Catalog } from '../../src/catalog/catalog.js';
import type { ExecutionId } from '../../src/catalog/ids.js';
import { createCliContext } from '../../src/cli/cli-context.js';
import { Clock } from '../../src/config/clock.js';
import { Config } from '../../src/config/config.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { collectOutput } from '../support/logs.js';
import { TestServer } from '../support/server.js';

describe('a run over a table whose data is missing', () => {
  const output = collectOutput();
  let files: string;
  let server: TestServer;

  beforeAll(async () => {
    files = await realpath(await mkdtemp(join(tmpdir(), 'missing-data-')));
    server = await TestServer.start({ LINK_ROOTS: files, LOG_LEVEL: 'warn' });
  });
  afterAll(async () => {
    await stopWithoutLeaks(server);
    output.stop();
    await rm(files, { recursive: true });
  });

  const linesWith = (text: string) =>
    output
      .text()
      .split('\n')
      .filter((line) => line.includes(text))
      .map((line) => JSON.parse(line));

  /** Runs SQL that is to fail, and gives the error of its status and how often it was tried. */
  async function failureOf(sql: string, key = server.key) {
    const { body } = await server.post<{ execution_id: ExecutionId }>('/sql/execute', { sql }, key);
    const ended = await server.untilEnded(body.execution_id, key);
    const rows = server.app.get(Catalog).selectFrom('executions').select('attempt').where('id', '=', body.execution_id);
    return { id: body.execution_id, error: ended.body.error, ...(await rows.executeTakeFirstOrThrow()) };
  }

  it('fails once and says whose data is missing, and the log has the name of the file', async () => {
    await server.post('/table/upload/csv', { table_name: 'sales', data: 'n\n1\n' });
    const folder = join(server.dataDir, 'tables');
    const [part = ''] = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.parquet'));
    await rm(join(folder, part));
    const other = await server.givenKey('other');
    for (const [sql, key] of [
      ['SELECT * FROM sales', server.key],
      ['SELECT count(*) FROM demo.sales a, demo.sales b', other],
    ] as const) {
      const { id, error, attempt } = await failureOf(sql, key);
      const message = 'The data of the table demo.sales is missing on the server';
      expect({ error, attempt }).toEqual({ error: { type: 'FAILED_TYPE_INTERNAL', message }, attempt: 1 });
      const name = part.split('/').at(-1);
      expect(linesWith(id)).toEqual([
        expect.objectContaining({ level: 50, execution: id, reason: `the part ${name} of a table is missing` }),
      ]);
    }
    expect(output.text()).not.toContain(server.dataDir);
  });

  it('says the same of linked files, without their names', async () => {
    const path = join(files, 'secret.csv');
    await writeFile(path, 'n\n1\n');
    const context = createCliContext(server.app.get(Catalog), new Clock(), server.app.get(Config));
    const account = await server.app.get(AccountsService).getByHandle('demo');
    await context.links.link(account, { name: 'linked', pattern: path, isPrivate: false });
    await rm(path);
    const { error, attempt } = await failureOf('SELECT * FROM linked');
    const message = 'The files that the table demo.linked is linked to are missing on the server, or may not be read';
    expect({ error, attempt }).toEqual({ error: { type: 'FAILED_TYPE_INTERNAL', message }, attempt: 1 });
    expect(output.text()).not.toContain('secret');
  });
});
