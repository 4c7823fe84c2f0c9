import { join } from 'node:path';
import { beforeEach, expect, it } from '@jest/globals';
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { Catalog } from '../catalog.js';
import { NodeSqliteDialect } from '../sqlite/sqlite-dialect.js';
import { migrations } from './migrations.js';

let dataDir: string;

beforeEach(() => {
  dataDir = temporaryFolder();
});

it('marks the keys that earlier versions made of BOOTSTRAP_API_KEY, and no others', async () => {
  const earlier = new Kysely<unknown>({ dialect: new NodeSqliteDialect(join(dataDir, 'catalog.db')) });
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '009'));
  await new Migrator({ db: earlier, provider: { getMigrations: async () => before } }).migrateToLatest();
  await sql`INSERT INTO accounts (id, handle, type, plan, created_at) VALUES ('1', 'ada', 'user', 'free', '')`.execute(
    earlier,
  );
  for (const [id, name, scope] of [
    ['a', 'bootstrap', 'admin'],
    ['b', 'bootstrap', 'admin'],
    ['c', 'bootstrap', 'read_write'],
    ['d', 'first key', 'admin'],
  ]) {
    await sql`
      INSERT INTO api_keys (id, account_id, name, scope, hash, prefix, created_at)
      VALUES (${id}, '1', ${name}, ${scope}, ${id}, '', '')`.execute(earlier);
  }
  await earlier.destroy();

  const catalog = await Catalog.open(dataDir);
  const marked = await catalog.selectFrom('api_keys').select('id').where('is_bootstrap', '=', 1).execute();
  expect(marked).toEqual([{ id: 'a' }, { id: 'b' }]);
  await catalog.destroy();
});
