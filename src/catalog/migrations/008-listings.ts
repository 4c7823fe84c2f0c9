import type { Kysely } from 'kysely';
import { toSearchText } from '../search-text.js';

/** The columns that this migration reads and fills. */
type Columns = {
  accounts: { id: string; handle: string };
  queries: { id: number; name: string; description: string; tags: string; search_text: string | null };
  tables: { id: string; account_id: string; name: string; description: string; search_text: string | null };
};

/** Lets queries and tables be searched. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('queries').addColumn('search_text', 'text').execute();
  await db.schema.alterTable('tables').addColumn('search_text', 'text').execute();
  const tables = db.withTables<Columns>();
  await fillQueries(tables);
  await fillTables(tables);
}

async function fillQueries(db: Kysely<Columns>): Promise<void> {
  for (const { id, name, description, tags } of await db.selectFrom('queries').selectAll().execute()) {
    const search_text = toSearchText(name, description, ...(JSON.parse(tags) as string[]));
    await db.updateTable('queries').set({ search_text }).where('id', '=', id).execute();
  }
}

async function fillTables(db: Kysely<Columns>): Promise<void> {
  const tables = await db
    .selectFrom('tables')
    .innerJoin('accounts', 'accounts.id', 'tables.account_id')
    .select(['tables.id', 'accounts.handle', 'tables.name', 'tables.description'])
    .execute();
  for (const { id, handle, name, description } of tables) {
    const search_text = toSearchText(`${handle}.${name}`, description);
    await db.updateTable('tables').set({ search_text }).where('id', '=', id).execute();
  }
}
