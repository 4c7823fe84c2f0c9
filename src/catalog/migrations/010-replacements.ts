import type { Kysely } from 'kysely';

/** Lets an error be found in the text that was saved, when it was found in the text with the values of its parameters. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('executions').addColumn('replacements', 'text').execute();
}
