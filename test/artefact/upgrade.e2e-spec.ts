import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { expectWell } from '../support/expect-well.js';
import { inCatalogOf } from '../support/in-catalog.js';
import { Program } from '../support/program.js';

/** Written by version 0.1.0 (`scripts/make-data-folder-fixture.mjs`). */
const FIXTURE = 'test/fixtures/data-folder-0.1.0';

describe('a data folder of another version', () => {
  let dataDir: string;
  let program: Program | undefined;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'eider-upgrade-'));
    await cp(FIXTURE, dataDir, { recursive: true });
    program = undefined;
  });
  afterEach(async () => {
    await program?.stop('SIGKILL');
    await rm(dataDir, { recursive: true });
  });

  const inCatalog = (sql: string) => inCatalogOf(dataDir, sql);

  const run = (...command: string[]) => Program.run(command, { DATA_DIR: dataDir }).exited;

  /** Takes the last change of its tables out of the catalog. */
  function makeOlder(): void {
    inCatalog('ALTER TABLE executions DROP COLUMN replacements');
    inCatalog("DELETE FROM kysely_migration WHERE name = '010-replacements'");
  }

  /** Expects each result, and the table, to read as they did when they were written. */
  async function expectSameReads(): Promise<void> {
    program = await Program.serve({ DATA_DIR: dataDir });
    const reads = JSON.parse(await readFile(`${FIXTURE}.json`, 'utf8')) as Record<
      string,
      { json: string; csv: string }
    >;
    expect(Object.keys(reads)).toHaveLength(2);
    for (const [id, expected] of Object.entries(reads)) expect(await program.read(id)).toEqual(expected);
    const id = await program.execute('SELECT n, name, day FROM sizes ORDER BY n');
    await program.untilEnded(id);
    expect((await program.read(id)).csv).toBe(Object.values(reads)[0]?.csv);
  }

  it('of version 0.1.0 reads the same, and is found well', async () => {
    await expectWell(dataDir);
    await expectSameReads();
  });

  it('that is older is refused by commands, migrated by eider migrate, and reads the same then', async () => {
    makeOlder();
    const refused = await run('account', 'list');
    expect(refused).toMatchObject({
      code: 1,
      output:
        'The catalog in DATA_DIR was written by an older version of Eider and lacks 1 change (the first is 010-replacements): ' +
        'make a backup (eider backup), then apply them with eider migrate, or by starting the service\n',
    });
    expect(await run('sweep')).toEqual(refused);

    const before = await readFile(join(dataDir, 'catalog.db'));
    expect(await run('migrate', '--dry-run')).toMatchObject({
      code: 0,
      output: 'Would apply 1 change to the catalog\n010-replacements\n',
    });
    expect(await readFile(join(dataDir, 'catalog.db'))).toEqual(before);
    const listed = await run('migrate', '--dry-run', '--json');
    expect(JSON.parse(listed.output)).toEqual({ dry_run: true, changes: ['010-replacements'] });

    expect(await run('migrate')).toMatchObject({
      code: 0,
      output: 'Applied 1 change to the catalog\n010-replacements\n',
    });
    expect(await run('migrate')).toMatchObject({ code: 0, output: 'The catalog is up to date\n' });
    expect(await run('account', 'list')).toMatchObject({ code: 0 });
    await expectSameReads();
  });

  it('that is older is migrated by the start of the service', async () => {
    makeOlder();
    await expectSameReads();
    expect(inCatalog("SELECT name FROM kysely_migration WHERE name > '010'")).toHaveLength(1);
  });

  it('that is older is not migrated while a server is at work on it', async () => {
    program = await Program.serve({ DATA_DIR: dataDir });
    makeOlder();
    expect(await run('migrate')).toMatchObject({
      code: 1,
      output: expect.stringContaining('Another server is using this data folder'),
    });
    expect(inCatalog("SELECT name FROM kysely_migration WHERE name > '010'")).toEqual([]);
  });

  it('that is newer is refused in one sentence', async () => {
    inCatalog("INSERT INTO kysely_migration VALUES ('999-future', '2030-01-01T00:00:00.000Z')");
    for (const command of [['serve'], ['migrate'], ['migrate', '--dry-run'], ['account', 'list'], ['sweep']])
      expect(await run(...command)).toEqual({
        code: 1,
        signal: null,
        output:
          'The catalog in DATA_DIR was written by a newer version of Eider (its change 999-future is not known here): ' +
          'run that version, or restore a backup from before the upgrade\n',
      });
  });
});
