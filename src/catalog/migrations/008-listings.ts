import type { Kysely } from 'kysely';
import { toSearchText } from '../search-text.js';

/** The columns that this migration reads and fills. */
type Columns = {
  accounts: { id: string; handle: string };
  executions: { account_id: string; trigger: string | null; submitted_by: string | null };
  queries: { id: number; name: string; description: string; tags: string; search_text: string | null };
  tables: { id: string; account_id: string; name: string; description: string; search_text: string | null };
};

/** Lets executions be listed with their origin, and queries and tables be searched. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('trigger', 'text').execute();
  await db.schema.alterTable('executions').addColumn('trigger', 'text').execute();
  await db.schema.alterTable('executions').addColumn('submitted_by', 'text').execute();
  await db.schema.alterTable('queries').addColumn('search_text', 'text').execute();
  await db.schema.alterTable('tables').addColumn('search_text', 'text').execute();
  const tables = db.withTables<Columns>();
  await fillExecutions(tables);
  await fillQueries(tables);
  await fillTables(tables);
  // All that a list of executions is filtered by, so that counting reads the index alone.
  await db.schema
    .createIndex('executions_listed')
    .on('executions')
    .columns(['account_id', 'id', 'state', 'expires_at', 'trigger', 'query_id'])
    .execute();
}

/** Which key started an execution was not recorded until now. */
async function fillExecutions(db: Kysely<Columns>): Promise<void> {
  await db
    .updateTable('executions')
    .set((execution) => ({
      trigger: 'api',
      submitted_by: execution
        .selectFrom('accounts')
        .select('handle')
        .whereRef('accounts.id', '=', 'executions.account_id'),
    }))
    .execute();
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
