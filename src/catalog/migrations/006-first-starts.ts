import type { Kysely } from 'kysely';

/** Adds first starts, so that one that was interrupted can be completed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('first_starts')
    .addColumn('handle', 'text', (column) => column.primaryKey().notNull())
    .addColumn('begun_at', 'text', (column) => column.notNull())
    .addColumn('ended_at', 'text')
    .execute();
}
