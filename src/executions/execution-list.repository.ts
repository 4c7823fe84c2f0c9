import { Injectable } from '@nestjs/common';
import type { ExpressionBuilder } from 'kysely';
import { encodeTime } from 'ulid';
import { Catalog } from '../catalog/catalog.js';
import type { Database } from '../catalog/database.js';
import type { AccountId, ExecutionId, QueryId } from '../catalog/ids.js';
import { fromCount, toInstant } from '../catalog/stored-values.js';
import type { ListPage } from '../http/list-page.js';
import { LISTED_COLUMNS, type ListedExecution, toListedExecution } from './execution-row.js';
import type { ExecutionState } from './execution-state.js';
import type { Trigger } from './origin.js';

/** Which executions of an account to list; an absent field does not narrow. */
export interface ExecutionFilter {
  /** 0 for SQL that was sent directly. */
  readonly queryId?: QueryId;
  /** As of now: a result past its retention is EXPIRED, swept or not. */
  readonly state?: ExecutionState;
  readonly trigger?: Trigger;
  /** Submitted at this instant or later. */
  readonly since?: Date;
}

/** An execution, and the name of its query as it is now, if the account may see the query. */
export interface NamedExecution extends ListedExecution {
  readonly queryName?: string;
}

const ULID_TIME_CHARACTERS = 10;
/** The greatest that the column can hold: not every database compares with a greater one. */
const MAX_QUERY_ID = 2 ** 31 - 1;

/** Lists executions of accounts. */
@Injectable()
export class ExecutionListRepository {
  constructor(private readonly catalog: Catalog) {}

  /** One page of an account's executions, newest first. */
  async list(
    accountId: AccountId,
    filter: ExecutionFilter,
    now: Date,
    { limit, offset }: ListPage,
  ): Promise<NamedExecution[]> {
    const rows = await this.catalog
      .selectFrom('executions')
      .leftJoin('queries', 'queries.id', 'executions.query_id')
      .select(LISTED_COLUMNS)
      .select(['queries.name', 'queries.is_private', 'queries.account_id as query_account_id'])
      .where((execution) => matching(execution, accountId, filter, now))
      .orderBy('executions.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map(({ name, is_private, query_account_id, ...row }) => {
      const isVisible = is_private === 0 || query_account_id === accountId;
      return { ...toListedExecution(row), queryName: isVisible ? (name ?? undefined) : undefined };
    });
  }

  async count(accountId: AccountId, filter: ExecutionFilter, now: Date): Promise<number> {
    const { count } = await this.catalog
      .selectFrom('executions')
      .select(({ fn }) => fn.countAll().as('count'))
      .where((execution) => matching(execution, accountId, filter, now))
      .executeTakeFirstOrThrow();
    return fromCount(count);
  }
}

/** Compares columns of the index `executions_listed` only: rows are read for the page alone. */
function matching(
  execution: ExpressionBuilder<Database, 'executions'>,
  accountId: AccountId,
  { queryId, state, trigger, since }: ExecutionFilter,
  now: Date,
) {
  const conditions = [execution('executions.account_id', '=', accountId)];
  if (queryId === 0) conditions.push(execution('executions.query_id', 'is', null));
  else if (queryId !== undefined)
    conditions.push(execution('executions.query_id', '=', Math.min(queryId, MAX_QUERY_ID) as QueryId));
  if (trigger) conditions.push(execution('executions.trigger', '=', trigger));
  if (since) {
    const firstId = encodeTime(Math.max(0, since.getTime()), ULID_TIME_CHARACTERS) as ExecutionId;
    conditions.push(execution('executions.id', '>=', firstId));
    conditions.push(execution('executions.submitted_at', '>=', toInstant(since)));
  }
  return execution.and(state ? [...conditions, inState(execution, state, now)] : conditions);
}

function inState(execution: ExpressionBuilder<Database, 'executions'>, state: ExecutionState, now: Date) {
  const isInState = execution('executions.state', '=', state);
  const isPastRetention = execution('executions.expires_at', '<=', toInstant(now));
  if (state === 'EXPIRED') {
    const isStored = execution('executions.state', 'in', ['COMPLETED', 'COMPLETED_PARTIAL']);
    return execution.or([isInState, execution.and([isStored, isPastRetention])]);
  }
  if (state !== 'COMPLETED' && state !== 'COMPLETED_PARTIAL') return isInState;
  return execution.and([isInState, execution('executions.expires_at', '>', toInstant(now))]);
}
