import type { Kysely } from 'kysely';

/** Creates the table of executions and the indexes that its readers need. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('executions')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('query_id', 'integer', (column) => column.references('queries.id'))
    .addColumn('query_version', 'integer')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('sql', 'text', (column) => column.notNull())
    .addColumn('parameters', 'text', (column) => column.notNull())
    .addColumn('parameters_key', 'text', (column) => column.notNull())
    .addColumn('performance', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('read_private_table', 'integer', (column) => column.notNull())
    .addColumn('submitted_at', 'text', (column) => column.notNull())
    .addColumn('execution_started_at', 'text')
    .addColumn('execution_ended_at', 'text')
    .addColumn('cancelled_at', 'text')
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('result', 'text')
    .addColumn('result_file', 'text')
    .execute();
  await index(db, 'executions_of_query', ['query_id', 'id']);
  await index(db, 'executions_in_state', ['state', 'expires_at']);
  await index(db, 'executions_of_account', ['account_id', 'submitted_at']);
  await index(db, 'executions_by_result_file', ['result_file']);
}

/** In order: latest result; recovery, the queue and expiry; usage; orphaned files. */
async function index(db: Kysely<unknown>, name: string, columns: string[]): Promise<void> {
  await db.schema.createIndex(name).on('executions').columns(columns).execute();
}
