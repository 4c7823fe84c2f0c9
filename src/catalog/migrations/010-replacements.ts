import type { Kysely } from 'kysely';

/** Adds where parameters were replaced, so that positions of errors refer to the saved text. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('executions').addColumn('replacements', 'text').execute();
}
