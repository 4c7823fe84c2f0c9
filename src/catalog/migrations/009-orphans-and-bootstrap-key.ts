import type { Kysely } from 'kysely';

/** Adds orphans that are found but not swept, and marks the key of BOOTSTRAP_API_KEY. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('orphans')
    .addColumn('store', 'text', (column) => column.notNull())
    .addColumn('blob', 'text', (column) => column.notNull())
    .addColumn('found_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('orphans_key', ['store', 'blob'])
    .execute();
  await db.schema
    .alterTable('api_keys')
    .addColumn('is_bootstrap', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // Earlier versions distinguished these keys by nothing else.
  await db
    .withTables<{ api_keys: { name: string; scope: string; is_bootstrap: number } }>()
    .updateTable('api_keys')
    .set({ is_bootstrap: 1 })
    .where('name', '=', 'bootstrap')
    .where('scope', '=', 'admin')
    .execute();
}
