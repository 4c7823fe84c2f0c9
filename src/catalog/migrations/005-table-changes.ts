import type { Kysely } from 'kysely';

/** Adds parts that are removed but not swept, and tables that link files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('tables').addColumn('source', 'text').execute();
  await db.schema.createIndex('table_parts_blob').unique().on('table_parts').column('blob').execute();
  await db.schema
    .createTable('removed_parts')
    .addColumn('blob', 'text', (column) => column.primaryKey().notNull())
    .addColumn('removed_at', 'text', (column) => column.notNull())
    .execute();
}
