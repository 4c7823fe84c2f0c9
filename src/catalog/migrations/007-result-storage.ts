import type { Kysely } from 'kysely';

const BATCH = 500;

/** The columns that this migration reads and fills. */
type Columns = {
  accounts: { id: string; result_bytes: number };
  executions: {
    id: string;
    account_id: string;
    result: string | null;
    result_file: string | null;
    result_bytes: number | null;
  };
};

/** Counts the bytes of stored results, for each execution and for each account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('accounts')
    .addColumn('result_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('executions').addColumn('result_bytes', 'bigint').execute();
  const tables = db.withTables<Columns>();
  await countFiles(tables);
  await tables
    .updateTable('accounts')
    .set((account) => ({
      result_bytes: account
        .selectFrom('executions')
        .select((sum) => sum.fn.coalesce(sum.fn.sum<number>('executions.result_bytes'), sum.val(0)).as('bytes'))
        .whereRef('executions.account_id', '=', 'accounts.id'),
    }))
    .execute();
}

/** Until now, the size of a result's file stood in its description only. */
async function countFiles(db: Kysely<Columns>): Promise<void> {
  for (let last = ''; ; ) {
    const stored = await db
      .selectFrom('executions')
      .select(['id', 'result'])
      .where('result_file', 'is not', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const { id, result } of stored) {
      const { fileBytes = 0 } = JSON.parse(result ?? '{}') as { fileBytes?: number };
      await db.updateTable('executions').set({ result_bytes: fileBytes }).where('id', '=', id).execute();
    }
    if (stored.length < BATCH) return;
    last = stored.at(-1)?.id ?? '';
  }
}
