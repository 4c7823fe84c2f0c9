import { Injectable } from '@nestjs/common';
import { monotonicFactory } from 'ulid';
import type { Account } from '../auth/account.js';
import type { ExecutionId, QueryId } from '../catalog/ids.js';
import { Clock } from '../config/clock.js';
import { Config } from '../config/config.js';
import { failpoint } from '../config/failpoint.js';
import type { GivenParameters } from '../queries/parameter.js';
import { QueriesService } from '../queries/queries.service.js';
import type { Replacement } from '../queries/replacement.js';
import { publish } from '../telemetry/events.js';
import {
  asOf,
  type Execution,
  type ExecutionStatus,
  expiryOf,
  type ParameterValues,
  type Performance,
} from './execution.js';
import { ExecutionAccess } from './execution-access.js';
import { ExecutionEvents } from './execution-events.js';
import { ExecutionQueue } from './execution-queue.js';
import { ExecutionRunner } from './execution-runner.js';
import { ExecutionNotFoundError, NoLatestResultError } from './executions.errors.js';
import { ExecutionsRepository } from './executions.repository.js';
import type { Origin } from './origin.js';
import { publishEnd } from './publish-end.js';
import { ResultQuota } from './result-quota.js';
import { toWaiting, toWaitingId } from './waiting-execution.js';

/** What is to be run. */
interface Statement {
  readonly queryId?: QueryId;
  readonly queryVersion?: number;
  readonly sql: string;
  readonly parameters: ParameterValues;
  readonly replacements: readonly Replacement[];
}

/** What a caller may choose of a run. */
export interface RunChoices {
  readonly parameters: GivenParameters;
  readonly performance: Performance;
  readonly origin: Origin;
}

/** Starts, finds and cancels executions for accounts. */
@Injectable()
export class ExecutionsService {
  private readonly nextId = monotonicFactory();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly queries: QueriesService,
    private readonly access: ExecutionAccess,
    private readonly quota: ResultQuota,
    private readonly executions: ExecutionsRepository,
    private readonly queue: ExecutionQueue,
    private readonly runner: ExecutionRunner,
    private readonly events: ExecutionEvents,
  ) {}

  /**
   * Starts an execution of a saved query. Its tables are those of the account that runs it.
   *
   * @throws ResultStorageFullError if the account's stored results leave no room.
   */
  async start(queryId: QueryId, account: Account, choices: RunChoices): Promise<Execution> {
    const query = await this.queries.getExecutable(queryId, account);
    const rendered = this.queries.render(query, choices.parameters);
    return this.enqueue({ queryId, queryVersion: query.version, ...rendered }, account, choices);
  }

  /** Starts an execution of SQL that is not saved. */
  async startSql(sql: string, account: Account, choices: RunChoices): Promise<Execution> {
    const rendered = this.queries.renderSql(sql, choices.parameters);
    return this.enqueue(rendered, account, choices);
  }

  /**
   * Finds an execution that the account may see, by {@link ExecutionAccess}.
   *
   * @throws ExecutionNotFoundError
   */
  getReadable(id: ExecutionId, account: Account): Promise<Execution> {
    return this.access.getReadable(id, account);
  }

  /** The execution as it stands now. */
  async findCurrent({ id }: Pick<Execution, 'id'>): Promise<Execution | undefined> {
    const current = await this.executions.find(id);
    return current && asOf(current, this.clock.now());
  }

  /**
   * Finds the newest stored result of a query that the account may read, with these parameters.
   *
   * @throws UnknownParametersError, NoLatestResultError
   */
  async getLatest(queryId: QueryId, account: Account, parameters: ParameterValues): Promise<Execution> {
    const hasValues = this.queries.matchParameters(await this.queries.getReadable(queryId, account), parameters);
    for await (const execution of this.executions.listStored(queryId, this.clock.now())) {
      if (hasValues(execution.parameters) && (await this.access.isReadable(execution, account))) return execution;
    }
    throw new NoLatestResultError();
  }

  /**
   * Cancels an execution of the account.
   *
   * @returns false if it had finished already; nothing has changed then.
   */
  async cancel(id: ExecutionId, account: Account): Promise<boolean> {
    const execution = await this.getReadable(id, account);
    if (execution.accountId !== account.id) throw new ExecutionNotFoundError(id);
    if (!(await this.moveToCancelled(execution))) return false;
    this.runner.cancel(toWaitingId(execution));
    publishEnd(execution, 'CANCELLED');
    this.events.emitChanged(execution.id);
    return true;
  }

  /** An execution can begin, or be requeued, before its state is changed. */
  private async moveToCancelled(found: Execution): Promise<boolean> {
    let current: Execution | undefined = found;
    while (current?.state === 'PENDING' || current?.state === 'EXECUTING') {
      if (await this.executions.cancel(current.id, current.state, this.clock.now())) return true;
      current = await this.executions.find(current.id);
    }
    return false;
  }

  /** {@link getReadable}, with the state that only this process has. */
  async getStatus(id: ExecutionId, account: Account): Promise<ExecutionStatus> {
    return this.statusOf(await this.getReadable(id, account));
  }

  /** An execution, with the state that only this process has. */
  statusOf(execution: Execution): ExecutionStatus {
    return {
      execution,
      queuePosition: this.queue.positionOf(toWaitingId(execution)),
      progressPercentage: this.runner.progressPercentage(execution.id),
    };
  }

  private async enqueue(statement: Statement, account: Account, choices: RunChoices): Promise<Execution> {
    const place = this.queue.reserve(account.id);
    try {
      const execution = this.toPending(statement, account, choices);
      await this.insert(execution, statement.queryVersion);
      publish('execution-submitted', { executionId: execution.id, performance: execution.performance });
      this.runner.enqueue(toWaiting(execution, account.plan));
      return execution;
    } finally {
      place.release();
    }
  }

  /**
   * An error can come after the commit: the execution is in the catalog then, and would wait until
   * the next start.
   */
  private async insert(execution: Execution, queryVersion: number | undefined): Promise<void> {
    try {
      await this.executions.insert(execution, queryVersion, (storage) => this.quota.require(storage));
      await failpoint('execution-inserted');
    } catch (error) {
      if (!(await this.executions.find(execution.id))) throw error;
    }
  }

  private toPending(
    { queryId, sql, parameters, replacements }: Statement,
    account: Account,
    { performance, origin }: RunChoices,
  ): Execution {
    const submittedAt = this.clock.now();
    return {
      id: this.nextId(submittedAt.getTime()) as ExecutionId,
      queryId,
      accountId: account.id,
      sql,
      parameters,
      replacements,
      performance,
      state: 'PENDING',
      attempt: 0,
      readPrivateTable: false,
      submittedAt,
      expiresAt: expiryOf(submittedAt, this.config.RESULT_RETENTION_DAYS),
      origin,
    };
  }
}
