import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Catalog } from '../catalog.js';
import { NodeSqliteDialect } from '../sqlite/sqlite-dialect.js';
import { migrations } from './migrations.js';

/** A catalog whose tables are those of any version. */
type AnyTables = Kysely<Record<string, Record<string, unknown>>>;

const AT = '2026-03-01T10:20:30.123Z';

describe('migrations', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'catalog-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  /** Makes the catalog of a version that had the migrations up to this one, and fills it. */
  async function givenCatalog(last: string, fill: (db: AnyTables) => Promise<void>): Promise<void> {
    const db = new Kysely<Record<string, Record<string, unknown>>>({
      dialect: new NodeSqliteDialect(join(dataDir, 'catalog.db')),
    });
    const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(last);
    if (error) throw error;
    await fill(db);
    await db.destroy();
  }

  it('make what was saved before searchable', async () => {
    await givenCatalog('006-first-starts', async (db) => {
      const ada = { id: 'ada', handle: 'ada', type: 'user', plan: 'free', created_at: AT };
      await db.insertInto('accounts').values(ada).execute();
      const common = { account_id: 'ada', is_private: 0, version: 1, created_at: AT, updated_at: AT };
      const query = { name: 'Größe', description: 'ALL', tags: '["Tag"]', is_archived: 0 };
      await db
        .insertInto('queries')
        .values({ ...common, ...query })
        .execute();
      const table = { id: 't', name: 'prices', description: 'Of Things', columns: '[]' };
      await db
        .insertInto('tables')
        .values({ ...common, ...table })
        .execute();
    });
    const catalog = await Catalog.open(dataDir);
    expect(await catalog.selectFrom('queries').select('search_text').execute()).toEqual([
      { search_text: 'größe\nall\ntag' },
    ]);
    expect(await catalog.selectFrom('tables').select('search_text').execute()).toEqual([
      { search_text: 'ada.prices\nof things' },
    ]);
    await catalog.destroy();
  });
});
