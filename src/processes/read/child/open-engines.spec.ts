import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import type { Database } from '../../../duckdb/connection/connection.js';
import { quoted, raw, sql } from '../../../duckdb/sql.js';
import type { PriorityClass } from '../reader-messages.js';
import { openEngines } from './open-engines.js';

let folder: string;
let engines: Record<PriorityClass, Database>;

beforeAll(async () => {
  folder = temporaryFolder();
  const options = { resultFolders: [join(folder, 'results')], pipesFolder: join(folder, 'pipes') };
  engines = await openEngines({ ...options, memoryBytes: 256_000_000, threads: 2 });
});

afterAll(async () => {
  engines.interactive.close();
  engines.bulk.close();
});

describe.each<PriorityClass>(['interactive', 'bulk'])('each connection of the class %s', (priority) => {
  it('has the settings of the class', async () => {
    const connection = await engines[priority].connect();
    const names = ['TimeZone', 'enable_external_access', 'enable_external_file_cache', 'lock_configuration'];
    const settings = names.map((name) => `current_setting('${name}')`).join(', ');
    expect(await connection.rows(raw(`SELECT ${settings}`))).toEqual([
      ['UTC', false, priority === 'interactive', true],
    ]);
    connection.close();
  });

  it('opens no file outside its folders', async () => {
    const connection = await engines[priority].connect();
    const reading = connection.rows(sql`SELECT * FROM read_text(${quoted(join(folder, 'other'))})`);
    await expect(reading).rejects.toThrow(/disabled/);
    connection.close();
  });
});
