import { Injectable } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';
import type { NewRow, Row } from '../catalog/database.js';
import { fromOptionalInstant, toFlag, toInstant } from '../catalog/stored-values.js';
import type { Replacement } from '../queries/replacement.js';
import type { Execution, ExecutionFailure, ParameterValues, StoredResult } from './execution.js';
import type { ExecutionState, Transition } from './execution-state.js';

type ExecutionRow = Row<'executions'>;

/** What may change along with an execution's state. */
type Change = Partial<Omit<NewRow<'executions'>, 'id' | 'state'>>;

/** A result past its retention. */
export interface ExpiredResult {
  readonly executionId: string;
  readonly file: string;
}

/** Reads and writes executions in the catalog. */
@Injectable()
export class ExecutionsRepository {
  constructor(private readonly catalog: Catalog) {}

  async insert(execution: Execution, queryVersion: number | undefined): Promise<void> {
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
    };
    await this.catalog.insertInto('executions').values(row).execute();
  }

  async find(id: string): Promise<Execution | undefined> {
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
  async *listStored(queryId: number, now: Date, batchSize = 50): AsyncGenerator<Execution> {
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
  private async move(id: string, { from, to }: Transition, change: Change = {}): Promise<boolean> {
    const updated = await this.catalog
      .updateTable('executions')
      .set({ ...change, state: to })
      .where('id', '=', id)
      .where('state', '=', from)
      .executeTakeFirst();
    return updated.numUpdatedRows === 1n;
  }

  begin(id: string, attempt: number, startedAt: Date): Promise<boolean> {
    return this.move(id, { from: 'PENDING', to: 'EXECUTING' }, { attempt, execution_started_at: toInstant(startedAt) });
  }

  /** Commits a result: from here on it can be read. */
  complete(
    id: string,
    result: StoredResult,
    end: { isTruncated: boolean; readPrivateTable: boolean; endedAt: Date; expiresAt: Date },
  ) {
    const { file, ...described } = result;
    return this.move(
      id,
      { from: 'EXECUTING', to: end.isTruncated ? 'COMPLETED_PARTIAL' : 'COMPLETED' },
      {
        result: JSON.stringify(described),
        result_file: file,
        read_private_table: toFlag(end.readPrivateTable),
        execution_ended_at: toInstant(end.endedAt),
        expires_at: toInstant(end.expiresAt),
      },
    );
  }

  fail(id: string, from: 'PENDING' | 'EXECUTING', failure: ExecutionFailure, endedAt: Date): Promise<boolean> {
    return this.move(
      id,
      { from, to: 'FAILED' },
      { error: JSON.stringify(failure), execution_ended_at: toInstant(endedAt) },
    );
  }

  cancel(id: string, from: 'PENDING' | 'EXECUTING', at: Date): Promise<boolean> {
    return this.move(id, { from, to: 'CANCELLED' }, { cancelled_at: toInstant(at), execution_ended_at: toInstant(at) });
  }

  /** Gives an execution back to the queue, whose process or host died. */
  requeue(id: string): Promise<boolean> {
    return this.move(id, { from: 'EXECUTING', to: 'PENDING' }, { execution_started_at: null });
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

  /** Marks a result as swept; its row stays, its file may go. */
  async expire(id: string): Promise<boolean> {
    return (
      (await this.move(id, { from: 'COMPLETED', to: 'EXPIRED' }, { result_file: null })) ||
      (await this.move(id, { from: 'COMPLETED_PARTIAL', to: 'EXPIRED' }, { result_file: null }))
    );
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

/** Equal values have equal keys, whatever the order of their names. */
function parametersKey(parameters: ParameterValues): string {
  return JSON.stringify(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function toExecution(row: ExecutionRow): Execution {
  return {
    id: row.id,
    queryId: row.query_id ?? undefined,
    accountId: row.account_id,
    sql: row.sql,
    parameters: JSON.parse(row.parameters) as ParameterValues,
    replacements: row.replacements === null ? [] : (JSON.parse(row.replacements) as Replacement[]),
    performance: row.performance,
    state: row.state,
    attempt: row.attempt,
    readPrivateTable: row.read_private_table === 1,
    submittedAt: new Date(row.submitted_at),
    startedAt: fromOptionalInstant(row.execution_started_at),
    endedAt: fromOptionalInstant(row.execution_ended_at),
    cancelledAt: fromOptionalInstant(row.cancelled_at),
    expiresAt: new Date(row.expires_at),
    failure: row.error === null ? undefined : toFailure(JSON.parse(row.error) as ExecutionFailure),
    result: toStoredResult(row),
  };
}

/** Rows of older versions of this program have a position without an offset, and not in the saved text: it is left out. */
function toFailure({ position, ...failure }: ExecutionFailure): ExecutionFailure {
  return position?.offset === undefined ? failure : { ...failure, position };
}

function toStoredResult({ result, result_file }: ExecutionRow): StoredResult | undefined {
  if (result === null || result_file === null) return undefined;
  return { ...(JSON.parse(result) as Omit<StoredResult, 'file'>), file: result_file };
}
