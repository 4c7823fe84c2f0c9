import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../duckdb/engine/engine.js';
import { quoted, raw, sql } from '../../../duckdb/sql.js';
import type { Lane } from '../reader-messages.js';
import { openLanes } from './lanes.js';

let folder: string;
let lanes: Record<Lane, Database>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eider-lanes-'));
  const options = { resultFolders: [join(folder, 'results')], pipesFolder: join(folder, 'pipes') };
  lanes = await openLanes({ ...options, memoryBytes: 256_000_000, threads: 2 });
});

afterAll(async () => {
  lanes.page.close();
  lanes.whole.close();
  await rm(folder, { recursive: true });
});

describe.each<Lane>(['page', 'whole'])('each connection of the lane %s', (lane) => {
  it('has the settings of the lane', async () => {
    const connection = await lanes[lane].connect();
    const names = ['TimeZone', 'enable_external_access', 'enable_external_file_cache', 'lock_configuration'];
    const settings = names.map((name) => `current_setting('${name}')`).join(', ');
    expect(await connection.rows(raw(`SELECT ${settings}`))).toEqual([['UTC', false, lane === 'page', true]]);
    connection.close();
  });

  it('opens no file outside its folders', async () => {
    const connection = await lanes[lane].connect();
    const reading = connection.rows(sql`SELECT * FROM read_text(${quoted(join(folder, 'other'))})`);
    await expect(reading).rejects.toThrow(/disabled/);
    connection.close();
  });
});
