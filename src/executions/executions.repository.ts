import { Injectable } from '@nestjs/common';
import { Catalog, type CatalogConnection } from '../catalog/catalog.js';
import type { NewRow } from '../catalog/database.js';
import type { AccountId, ExecutionId, QueryId } from '../catalog/ids.js';
import { fromCount, toFlag, toInstant } from '../catalog/stored-values.js';
import type { Execution, ExecutionFailure, StoredResult } from './execution.js';
import { parametersKey, toExecution } from './execution-row.js';
import type { ExecutionState, Transition } from './execution-state.js';
import type { ResultStorage } from './result-quota.js';

/** What may change along with an execution's state. */
type Change = Partial<Omit<NewRow<'executions'>, 'id' | 'state'>>;

/** A result past its retention. */
export interface ExpiredResult {
  readonly executionId: ExecutionId;
  readonly file: string;
}

/** Reads and writes executions in the catalog. */
@Injectable()
export class ExecutionsRepository {
  constructor(private readonly catalog: Catalog) {}

  /**
   * Inserts an execution, unless `admit` throws for the stored results, in one transaction.
   */
  async insert(
    execution: Execution,
    queryVersion: number | undefined,
    admit: (storage: ResultStorage) => void = () => {},
  ): Promise<void> {
    const row = {
      id: execution.id,
      query_id: execution.queryId ?? null,
      query_version: queryVersion ?? null,
      account_id: execution.accountId,
      sql: execution.sql,
      parameters: JSON.stringify(execution.parameters),
      parameters_key: parametersKey(execution.parameters),
      replacements: execution.replacements.length === 0 ? null : JSON.stringify(execution.replacements),
      performance: execution.performance,
      state: execution.state,
      attempt: execution.attempt,
      read_private_table: toFlag(execution.readPrivateTable),
      submitted_at: toInstant(execution.submittedAt),
      expires_at: toInstant(execution.expiresAt),
      trigger: execution.origin.trigger,
      submitted_by: execution.origin.submittedBy,
    };
    await this.catalog.inTransaction(async (transaction) => {
      admit(await findStorage(transaction, execution.accountId));
      await transaction.insertInto('executions').values(row).execute();
    });
  }

  /** What the stored results of an account take. */
  async getStorage(accountId: AccountId): Promise<ResultStorage> {
    return await findStorage(this.catalog, accountId);
  }

  async find(id: ExecutionId): Promise<Execution | undefined> {
    const row = await this.catalog.selectFrom('executions').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toExecution(row);
  }

  /** Executions in a state, oldest first. */
  async listIn(state: ExecutionState): Promise<Execution[]> {
    const rows = await this.catalog
      .selectFrom('executions')
      .selectAll()
      .where('state', '=', state)
      .orderBy('id')
      .execute();
    return rows.map(toExecution);
  }

  /** Executions of a query whose result is stored at an instant, newest first, in batches. */
  async *listStored(queryId: QueryId, now: Date, batchSize = 50): AsyncGenerator<Execution> {
    for (let last: Execution | undefined; ; ) {
      const stored = this.catalog
        .selectFrom('executions')
        .selectAll()
        .where('query_id', '=', queryId)
        .where('state', 'in', ['COMPLETED', 'COMPLETED_PARTIAL'])
        .where('expires_at', '>', toInstant(now))
        .orderBy('id', 'desc')
        .limit(batchSize);
      const rows = await (last ? stored.where('id', '<', last.id) : stored).execute();
      const batch = rows.map(toExecution);
      yield* batch;
      if (batch.length < batchSize) return;
      last = batch.at(-1);
    }
  }

  /**
   * Changes an execution's state, compare-and-set, as all changes of state are made.
   *
   * @returns false if it is not in `from` any more; nothing has changed then.
   */
  private async move(
    id: ExecutionId,
    { from, to }: Transition,
    change: Change = {},
    connection: CatalogConnection = this.catalog,
  ): Promise<boolean> {
    const updated = await connection
      .updateTable('executions')
      .set({ ...change, state: to })
      .where('id', '=', id)
      .where('state', '=', from)
      .executeTakeFirst();
    return updated.numUpdatedRows === 1n;
  }

  begin(id: ExecutionId, attempt: number, startedAt: Date): Promise<boolean> {
    return this.move(id, { from: 'PENDING', to: 'EXECUTING' }, { attempt, execution_started_at: toInstant(startedAt) });
  }

  /** Commits a result: from here on it can be read, and counts towards the account's plan. */
  complete(
    id: ExecutionId,
    result: StoredResult,
    end: { isTruncated: boolean; readPrivateTable: boolean; endedAt: Date; expiresAt: Date },
  ): Promise<boolean> {
    const { file, ...described } = result;
    const transition = { from: 'EXECUTING', to: end.isTruncated ? 'COMPLETED_PARTIAL' : 'COMPLETED' } as const;
    const change = {
      result: JSON.stringify(described),
      result_file: file,
      result_bytes: result.fileBytes,
      read_private_table: toFlag(end.readPrivateTable),
      execution_ended_at: toInstant(end.endedAt),
      expires_at: toInstant(end.expiresAt),
    };
    return this.catalog.inTransaction(async (transaction) => {
      const isCommitted = await this.move(id, transition, change, transaction);
      if (isCommitted) await countStored(transaction, id, '+');
      return isCommitted;
    });
  }

  fail(id: ExecutionId, from: 'PENDING' | 'EXECUTING', failure: ExecutionFailure, endedAt: Date): Promise<boolean> {
    return this.move(
      id,
      { from, to: 'FAILED' },
      { error: JSON.stringify(failure), execution_ended_at: toInstant(endedAt) },
    );
  }

  cancel(id: ExecutionId, from: 'PENDING' | 'EXECUTING', at: Date): Promise<boolean> {
    return this.move(id, { from, to: 'CANCELLED' }, { cancelled_at: toInstant(at), execution_ended_at: toInstant(at) });
  }

  /** Returns an execution to the queue, whose process or host died. */
  requeue(id: ExecutionId): Promise<boolean> {
    return this.move(id, { from: 'EXECUTING', to: 'PENDING' }, { execution_started_at: null });
  }

  /** Requeues all executions whose host is gone, and returns how many there were. */
  async requeueAll(): Promise<number> {
    const { numUpdatedRows } = await this.catalog
      .updateTable('executions')
      .set({ state: 'PENDING', execution_started_at: null })
      .where('state', '=', 'EXECUTING')
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }

  /** Results past their retention, oldest first. */
  async listExpired(now: Date, limit: number): Promise<ExpiredResult[]> {
    const rows = await this.catalog
      .selectFrom('executions')
      .select(['id', 'result_file'])
      .where('state', 'in', ['COMPLETED', 'COMPLETED_PARTIAL'])
      .where('expires_at', '<=', toInstant(now))
      .orderBy('expires_at')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ executionId: row.id, file: row.result_file ?? '' }));
  }

  /** Marks a result as deleted: it counts no more, its row stays, its file may go. */
  expire(id: ExecutionId): Promise<boolean> {
    const change = { result_file: null };
    return this.catalog.inTransaction(async (transaction) => {
      const isExpired =
        (await this.move(id, { from: 'COMPLETED', to: 'EXPIRED' }, change, transaction)) ||
        (await this.move(id, { from: 'COMPLETED_PARTIAL', to: 'EXPIRED' }, change, transaction));
      if (isExpired) await countStored(transaction, id, '-');
      return isExpired;
    });
  }

  /** Whether a readable result keeps the blob. */
  async isResultFile(file: string): Promise<boolean> {
    const row = await this.catalog
      .selectFrom('executions')
      .select('id')
      .where('result_file', '=', file)
      .executeTakeFirst();
    return row !== undefined;
  }
}

/** Adds the bytes of an execution's result to those of its account, or takes them away. */
async function countStored(transaction: CatalogConnection, id: ExecutionId, sign: '+' | '-'): Promise<void> {
  const { account_id, result_bytes } = await transaction
    .selectFrom('executions')
    .select(['account_id', 'result_bytes'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('accounts')
    .set((account) => ({ result_bytes: account('result_bytes', sign, fromCount(result_bytes)) }))
    .where('id', '=', account_id)
    .execute();
}

async function findStorage(connection: CatalogConnection, accountId: AccountId): Promise<ResultStorage> {
  const { plan, result_bytes } = await connection
    .selectFrom('accounts')
    .select(['plan', 'result_bytes'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { plan, bytes: fromCount(result_bytes) };
}
