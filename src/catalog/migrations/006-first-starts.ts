import type { Kysely } from 'kysely';

/** Lets a first start that was cut off be told from one that has ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('first_starts')
    .addColumn('handle', 'text', (column) => column.primaryKey().notNull())
    .addColumn('begun_at', 'text', (column) => column.notNull())
    .addColumn('ended_at', 'text')
    .execute();
}
