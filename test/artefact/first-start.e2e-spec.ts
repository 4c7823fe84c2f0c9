import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { expectWell } from '../support/expect-well.js';
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

  const readKey = async () => (await readFile(join(dataDir, 'first-key'), 'utf8')).trim();

  /** The lines of a log, each of which must be JSON. */
  const linesOf = (output: string) =>
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('that is killed at every step is completed by the next', async () => {
    const keys: string[] = [];
    for (const point of [
      'first-account-created',
      'part-stored',
      'sample-query-saved',
      'first-key-created',
      'first-key-shown',
    ]) {
      const crashing = Program.run(['serve'], { ...settings, DATA_DIR: dataDir, TEST_FAILPOINT: `${point}=crash` });
      const { signal } = await crashing.exited;
      expect([point, signal]).toEqual([point, 'SIGKILL']);
      if (point === 'first-key-shown') keys.push(await readKey());
      await untilNobodyWorksIn(dataDir);
    }

    program = await Program.serve({ ...settings, DATA_DIR: dataDir });
    keys.push(await readKey());
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) {
      const answer = await fetch(`${program.url}/api/v1/query/1`, { headers: { 'x-service-api-key': key } });
      expect(await answer.json()).toMatchObject({ query_id: 1, owner: 'demo' });
    }
    expect(inCatalog('SELECT handle FROM accounts')).toEqual([{ handle: 'demo' }]);
    expect(inCatalog('SELECT count(*) AS queries FROM queries')).toEqual([{ queries: 3 }]);
    const parts = inCatalog('SELECT blob FROM table_parts ORDER BY 1').map(({ blob }) => blob);
    expect(parts).toHaveLength(4);
    const files = await readdir(join(dataDir, 'tables'), { recursive: true, withFileTypes: true });
    expect(files.filter((each) => each.isFile()).map(({ name }) => name)).toEqual(expect.arrayContaining(parts));
    expect(files.filter((each) => each.isFile())).toHaveLength(4);
    await expectWell(dataDir);
  });

  it('without a terminal logs JSON without the key, which it writes to a file for the owner only', async () => {
    program = await Program.serve({ ...settings, DATA_DIR: dataDir, LOG_LEVEL: 'info' });
    const key = await readKey();
    expect((await stat(join(dataDir, 'first-key'))).mode & 0o777).toBe(0o600);
    const message = 'The account demo was created. Its API key is in the file first-key in DATA_DIR';
    expect(linesOf(program.output)).toContainEqual(
      expect.objectContaining({ level: 30, account: 'demo', key_file: 'first-key', message }),
    );
    expect(program.output).not.toContain(key.slice('eider_'.length));
    expect(program.output).not.toContain(dataDir);
    const answer = await fetch(`${program.url}/api/v1/query/1`, { headers: { 'x-service-api-key': key } });
    expect(await answer.json()).toMatchObject({ query_id: 1, owner: 'demo' });
  });

  it('without a terminal names a given key, and writes none', async () => {
    const BOOTSTRAP_API_KEY = 'chosen-by-the-operator';
    program = await Program.serve({ ...settings, DATA_DIR: dataDir, BOOTSTRAP_API_KEY });
    const message = 'The account demo was created. Its API key is the given BOOTSTRAP_API_KEY';
    expect(linesOf(program.output)).toContainEqual(expect.objectContaining({ account: 'demo', message }));
    expect(program.output).not.toContain(BOOTSTRAP_API_KEY);
    expect(await readdir(dataDir)).not.toContain('first-key');
  });

  it('on a terminal shows the key and how to use it, and writes no file', async () => {
    program = await Program.serveOnTerminal({ ...settings, DATA_DIR: dataDir });
    const [, key = ''] = await program.untilOutput(/^The account demo was created\. .*shown only now: (\S+)/m);
    await program.untilOutput(/The same as CSV/);
    expect(program.output.match(/^ {2}curl /gm)).toHaveLength(3);
    expect(await readdir(dataDir)).not.toContain('first-key');
    const answer = await fetch(`${program.url}/api/v1/query/1`, { headers: { 'x-service-api-key': key } });
    expect(await answer.json()).toMatchObject({ query_id: 1, owner: 'demo' });
    expect(await program.pressCtrlC()).toMatchObject({ code: 0 });
  });
});
