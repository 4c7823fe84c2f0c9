import { Injectable } from '@nestjs/common';
import { monotonicFactory } from 'ulid';
import type { Account } from '../auth/account.js';
import { Clock } from '../config/clock.js';
import { Config } from '../config/config.js';
import { faultPoint } from '../config/fault-point.js';
import type { GivenParameters } from '../queries/parameter.js';
import { QueriesService } from '../queries/queries.service.js';
import type { Replacement } from '../queries/replacement.js';
import { asOf, type Execution, type ParameterValues, type Performance } from './execution.js';
import { ExecutionAccess } from './execution-access.js';
import { ExecutionEvents } from './execution-events.js';
import { ExecutionQueue } from './execution-queue.js';
import { ExecutionRunner } from './execution-runner.js';
import { ExecutionNotFoundError, NoLatestResultError } from './executions.errors.js';
import { ExecutionsRepository } from './executions.repository.js';
import { expiryOf } from './expiry.js';
import type { Origin } from './origin.js';
import { ResultQuota } from './result-quota.js';
import { toWaiting, toWaitingId } from './waiting-execution.js';

/** What is to be run. */
interface Statement {
  readonly queryId?: number;
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
   * @throws ResultStorageFullError if the account's stored results leave no room; also {@link startSql}.
   */
  async start(queryId: number, account: Account, choices: RunChoices): Promise<Execution> {
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
   * Finds an execution that the account may see: its own, and anyone's stored result of a public query that read no private table.
   *
   * @throws InvalidExecutionIdError, ExecutionNotFoundError
   */
  getReadable(id: string, account: Account): Promise<Execution> {
    return this.access.getReadable(id, account);
  }

  /** The execution as it stands now. */
  async findCurrent({ id }: Pick<Execution, 'id'>): Promise<Execution | undefined> {
    const current = await this.executions.find(id);
    return current && asOf(current, this.clock.now());
  }

  /**
   * Finds the newest stored result of a query that the account may read and whose run had the given parameter values.
   *
   * @throws UnknownParametersError, NoLatestResultError
   */
  async getLatest(queryId: number, account: Account, parameters: ParameterValues): Promise<Execution> {
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
  async cancel(id: string, account: Account): Promise<boolean> {
    const execution = await this.getReadable(id, account);
    if (execution.accountId !== account.id) throw new ExecutionNotFoundError(id);
    if (!(await this.moveToCancelled(execution))) return false;
    this.runner.cancel(toWaitingId(execution));
    this.events.emitChanged(execution.id);
    return true;
  }

  /** An execution can begin, or go back to the queue, between the look at its state and the change of it. */
  private async moveToCancelled(found: Execution): Promise<boolean> {
    let current: Execution | undefined = found;
    while (current?.state === 'PENDING' || current?.state === 'EXECUTING') {
      if (await this.executions.cancel(current.id, current.state, this.clock.now())) return true;
      current = await this.executions.find(current.id);
    }
    return false;
  }

  /** What only this process knows of an execution under way. */
  liveStatus(execution: Execution): { queuePosition?: number; progressPercentage?: number } {
    return {
      queuePosition: this.queue.positionOf(toWaitingId(execution)),
      progressPercentage: this.runner.progressPercentage(execution.id),
    };
  }

  private async enqueue(statement: Statement, account: Account, choices: RunChoices): Promise<Execution> {
    const place = this.queue.reserve(account.id);
    try {
      const execution = this.toPending(statement, account, choices);
      await this.executions.insert(execution, statement.queryVersion, (storage) => this.quota.require(storage));
      faultPoint('execution-inserted');
      this.runner.enqueue(toWaiting(execution, account.plan));
      return execution;
    } finally {
      place.release();
    }
  }

  private toPending(
    { queryId, sql, parameters, replacements }: Statement,
    account: Account,
    { performance, origin }: RunChoices,
  ): Execution {
    const submittedAt = this.clock.now();
    return {
      id: this.nextId(submittedAt.getTime()),
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
