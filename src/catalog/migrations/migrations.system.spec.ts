import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { Catalog } from '../catalog.js';
import type { ExecutionId } from '../ids.js';
import { NodeSqliteDialect } from '../sqlite/sqlite-dialect.js';
import { migrations } from './migrations.js';

/** A catalog whose tables are those of any version. */
type AnyTables = Kysely<Record<string, Record<string, unknown>>>;

const AT = '2026-03-01T10:20:30.123Z';

describe('migrations', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = temporaryFolder();
  });

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

  const execution = (number: number, account_id: string, result: object | undefined, isStored: boolean) => ({
    id: `E${String(number).padStart(5, '0')}`,
    account_id,
    sql: '',
    parameters: '{}',
    parameters_key: '[]',
    performance: 'medium',
    state: isStored ? 'COMPLETED' : 'EXPIRED',
    attempt: 1,
    read_private_table: 0,
    submitted_at: AT,
    expires_at: AT,
    result: result ? JSON.stringify(result) : null,
    result_file: isStored ? 'file' : null,
  });

  it('count the stored results that were there before, of each account, and say who submitted them', async () => {
    await givenCatalog('006-first-starts', async (db) => {
      for (const handle of ['ada', 'bob', 'eve'])
        await db
          .insertInto('accounts')
          .values({ id: handle, handle, type: 'user', plan: 'free', created_at: AT })
          .execute();
      for (let number = 0; number < 1_100; number += 1)
        await db
          .insertInto('executions')
          .values(execution(number, 'ada', { fileBytes: 2 }, true))
          .execute();
      await db
        .insertInto('executions')
        .values(execution(2_000, 'bob', { fileBytes: 8_000_000_000 }, true))
        .execute();
      await db
        .insertInto('executions')
        .values(execution(2_001, 'bob', { fileBytes: 5 }, false))
        .execute();
      await db
        .insertInto('executions')
        .values(execution(2_002, 'bob', undefined, false))
        .execute();
    });
    const catalog = await Catalog.open(dataDir);
    const accounts = await catalog
      .selectFrom('accounts')
      .select(['handle', 'result_bytes'])
      .orderBy('handle')
      .execute();
    expect(accounts.map(({ handle, result_bytes }) => [handle, result_bytes])).toEqual([
      ['ada', 2_200],
      ['bob', 8_000_000_000],
      ['eve', 0],
    ]);
    const ofLast = catalog.selectFrom('executions').where('id', '=', 'E02000' as ExecutionId);
    const last = await ofLast.selectAll().executeTakeFirst();
    expect(last).toMatchObject({ result_bytes: 8_000_000_000, trigger: 'api', submitted_by: 'bob' });
    await catalog.destroy();
  });

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
