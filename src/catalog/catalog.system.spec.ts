import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { Catalog } from './catalog.js';
import type { NewRow } from './database.js';
import type { AccountId } from './ids.js';

describe('Catalog', () => {
  let dataDir: string;
  let catalog: Catalog;

  beforeEach(async () => {
    dataDir = temporaryFolder();
    catalog = await Catalog.open(dataDir);
  });

  afterEach(async () => {
    await catalog.destroy();
  });

  const ada: NewRow<'accounts'> = {
    id: '1' as AccountId,
    handle: 'ada',
    type: 'user',
    plan: 'free',
    created_at: '2026-03-01T10:20:30.123Z',
  };
  const handles = async (from: Catalog) =>
    (await from.selectFrom('accounts').select('handle').execute()).map((row) => row.handle);

  it('keeps what was written across a restart', async () => {
    await catalog.insertInto('accounts').values(ada).execute();
    await catalog.destroy();
    catalog = await Catalog.open(dataDir);
    expect(await handles(catalog)).toEqual(['ada']);
  });

  it('shows one process what another has written', async () => {
    const other = await Catalog.open(dataDir);
    await other.insertInto('accounts').values(ada).execute();
    expect(await handles(catalog)).toEqual(['ada']);
    await other.destroy();
  });

  it('undoes a transaction that throws', async () => {
    const failing = catalog.inTransaction(async (transaction) => {
      await transaction.insertInto('accounts').values(ada).execute();
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await handles(catalog)).toEqual([]);
  });

  it('refuses a row that refers to nothing', async () => {
    const orphan = {
      ...ada,
      id: 'k',
      account_id: 'nobody' as AccountId,
      name: '',
      scope: 'read',
      hash: 'h',
      prefix: '',
    } as const;
    const { handle: _handle, type: _type, plan: _plan, ...key } = orphan;
    await expect(catalog.insertInto('api_keys').values(key).execute()).rejects.toThrow('FOREIGN KEY');
  });

  it('commits to disk before it answers, with a log that readers do not block', async () => {
    const read = async (pragma: string) =>
      Object.values((await sql<object>`${sql.raw(`PRAGMA ${pragma}`)}`.execute(catalog)).rows[0] ?? {});
    expect([await read('journal_mode'), await read('synchronous'), await read('foreign_keys')]).toEqual([
      ['wal'],
      [2],
      [1],
    ]);
  });

  it('is not migrated by commands beside the service', async () => {
    await sql`DELETE FROM kysely_migration WHERE name > '009'`.execute(catalog);
    await expect(Catalog.openExisting(dataDir)).rejects.toThrow('lacks 2 changes (the first is 009-orphans');
    const older = await Catalog.openOlder(dataDir);
    expect(await older.pendingMigrations()).toEqual(['009-orphans-and-bootstrap-key', '010-replacements']);
    await older.destroy();
  });

  it('is made by commands in an empty folder only if they need one of this version', async () => {
    const empty = join(dataDir, 'empty');
    mkdirSync(empty);
    await expect(Catalog.openOlder(empty)).rejects.toThrow('There is no catalog (catalog.db) in the data folder');
    expect(readdirSync(empty)).toEqual([]);
    const made = await Catalog.openExisting(empty);
    expect(await made.pendingMigrations()).toEqual([]);
    await made.destroy();
  });

  it('refuses a catalog that a newer version has changed', async () => {
    await sql`INSERT INTO kysely_migration VALUES ('999-future', '2030-01-01T00:00:00.000Z')`.execute(catalog);
    await expect(Catalog.open(dataDir)).rejects.toThrow(
      'The catalog in DATA_DIR was written by a newer version of Eider (its change 999-future is not known here)',
    );
  });
});
