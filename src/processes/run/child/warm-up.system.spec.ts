import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { until } from '../../../../test/support/until.js';
import type { Connection } from '../../../duckdb/connection/connection.js';
import { sql } from '../../../duckdb/sql.js';
import { openSandbox } from './sandbox.js';
import { warmUp } from './warm-up.js';

/** Another process whose engine keeps the lock of `/dev/null` once it is free. */
const LOCKING = `
  import { DuckDBInstance } from '@duckdb/node-api';
  const connection = await (await DuckDBInstance.create()).connect();
  const lock = () => connection.run("COPY (FROM range(1000000000000)) TO '/dev/null' (FORMAT csv, USE_TMP_FILE false)");
  for (;;) await lock().catch(() => {});
`;

const workingDirectory = process.cwd();
let folder: string;
let connection: Connection;

beforeAll(async () => {
  folder = temporaryFolder();
  process.chdir(folder);
  connection = await openSandbox();
});

afterAll(async () => {
  connection.close();
  process.chdir(workingDirectory);
});

describe('warmUp', () => {
  it('leaves no file', async () => {
    await warmUp(connection);
    expect(await readdir(folder)).toEqual([]);
  });

  it('writes to no file that an engine in another process may have locked', async () => {
    const other = spawn(process.execPath, ['--input-type=module', '-e', LOCKING], { cwd: workingDirectory });
    const isLocked = () =>
      connection.run(sql`COPY (SELECT 1) TO '/dev/null' (USE_TMP_FILE false)`).then(
        () => false,
        (error: unknown) => /lock/.test(String(error)),
      );
    try {
      await until(isLocked);
      await warmUp(connection);
      expect(await isLocked()).toBe(true);
    } finally {
      other.kill('SIGKILL');
      await once(other, 'exit');
    }
  });
});
