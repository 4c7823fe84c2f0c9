import type { Kysely } from 'kysely';
import { countedUp } from './counted-up.js';

/** Creates the tables of saved queries and their versions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('queries')
    .addColumn('id', 'integer', (column) => countedUp(db, column.primaryKey()))
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('is_private', 'integer', (column) => column.notNull())
    .addColumn('is_archived', 'integer', (column) => column.notNull())
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('queries_of_account').on('queries').columns(['account_id', 'id']).execute();
  await db.schema
    .createTable('query_versions')
    .addColumn('query_id', 'integer', (column) => column.notNull().references('queries.id'))
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('sql', 'text', (column) => column.notNull())
    .addColumn('parameters', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('query_versions_key', ['query_id', 'version'])
    .execute();
}
