import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Attack, readAttacks } from '../../../../../test/support/engine/attack-corpus.js';
import { givenSampleTables, type SampleTables } from '../../../../../test/support/engine/sample-tables.js';
import type { Connection } from '../../../../duckdb/engine/engine.js';
import { raw } from '../../../../duckdb/sql.js';
import { RunFolder } from '../run-folder.js';
import { lockSandbox, openSandbox } from './sandbox.js';

const projectFolder = process.cwd();
let folder: string;
let samples: SampleTables;
let attacks: Attack[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eider-ungated-'));
  samples = await givenSampleTables(folder);
  attacks = readAttacks(samples.placeholders);
  await mkdir(join(folder, 'runs'));
});

afterAll(async () => {
  process.chdir(projectFolder);
  await rm(folder, { recursive: true });
});

/** A locked sandbox without a statement gate before it. */
async function givenSandbox(): Promise<Connection> {
  const runFolder = await RunFolder.create(join(folder, 'runs'), 'ungated');
  const tables = await runFolder.linkTables(samples.tables);
  process.chdir(runFolder.path);
  const connection = await openSandbox();
  const limits = { memoryBytes: 2 ** 28, threads: 1, maxSpillBytes: 2 ** 28 };
  await lockSandbox(connection, { folder: runFolder.path, sql: '', parameters: {}, ...limits }, tables);
  return connection;
}

async function succeeds(text: string): Promise<boolean> {
  const connection = await givenSandbox();
  try {
    await connection.run(raw(text));
    return true;
  } catch {
    return false;
  } finally {
    connection.close();
  }
}

describe('the attack corpus without the statement gate', () => {
  it('holds statements that only the gate stops, so that it can fail', async () => {
    const passed: string[] = [];
    const slow = ['cpu-sleep', 'cpu-pg-sleep', 'deep-not', 'grouping-cube', 'lone-surrogate', 'mem-repeat-over'];
    for (const { name, sql, expect: expected } of attacks) {
      if (expected === 'error' && !slow.includes(name) && (await succeeds(sql))) passed.push(name);
    }
    expect(passed.length).toBeGreaterThan(30);
    expect(passed).toEqual(
      expect.arrayContaining(['write-logging-off', 'pragma-version', 'current-setting', 'settings-fn']),
    );
  });

  it('holds statements that the locked settings stop by themselves', async () => {
    const stopped = [
      'file-replacement-scan-other-tenant',
      'file-glob-etc',
      'write-attach-other',
      'set-memory',
      'autoload-http',
    ];
    for (const { name, sql } of attacks) {
      if (stopped.includes(name)) expect([name, await succeeds(sql)]).toEqual([name, false]);
    }
  });
});
