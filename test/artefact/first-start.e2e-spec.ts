import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inCatalogOf } from '../support/in-catalog.js';
import { Program, untilNobodyWorksIn } from '../support/program.js';

describe('the first start', () => {
  let dataDir: string;
  let program: Program | undefined;

  const settings = { SAMPLE_DATA: 'true', BOOTSTRAP_API_KEY: '', ORPHAN_GRACE: '0' };

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'eider-first-start-'));
  });
  afterEach(async () => {
    await program?.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
    await rm(dataDir, { recursive: true });
  });

  const inCatalog = (sql: string) => inCatalogOf(dataDir, sql);

  /** The keys that a program has shown. */
  const keysIn = (output: string) => [...output.matchAll(/shown only now: (\S+)/g)].map(([, key]) => key ?? '');

  it('that is killed at every step is completed by the next', async () => {
    const keys: string[] = [];
    for (const point of [
      'first-account-created',
      'part-stored',
      'sample-query-saved',
      'first-key-created',
      'first-key-shown',
    ]) {
      const crashing = Program.run(['serve'], { ...settings, DATA_DIR: dataDir, TEST_FAULT_POINT: point });
      const { signal, output } = await crashing.exited;
      expect([point, signal]).toEqual([point, 'SIGKILL']);
      keys.push(...keysIn(output));
      await untilNobodyWorksIn(dataDir);
    }
    expect(keys).toHaveLength(1);

    program = await Program.serve({ ...settings, DATA_DIR: dataDir });
    keys.push(...keysIn(program.output));
    expect(keys).toHaveLength(2);
    for (const key of keys) {
      const answer = await fetch(`${program.url}/api/v1/query/1`, { headers: { 'x-service-api-key': key } });
      expect(await answer.json()).toMatchObject({ query_id: 1, owner: 'demo' });
    }
    expect(program.output.match(/^ {2}curl /gm)).toHaveLength(3);
    expect(inCatalog('SELECT handle FROM accounts')).toEqual([{ handle: 'demo' }]);
    expect(inCatalog('SELECT count(*) AS queries FROM queries')).toEqual([{ queries: 3 }]);
    const parts = inCatalog('SELECT blob FROM table_parts ORDER BY 1').map(({ blob }) => blob);
    expect(parts).toHaveLength(4);
    const files = await readdir(join(dataDir, 'tables'), { recursive: true, withFileTypes: true });
    expect(files.filter((each) => each.isFile()).map(({ name }) => name)).toEqual(expect.arrayContaining(parts));
    expect(files.filter((each) => each.isFile())).toHaveLength(4);
  });
});
