import { Injectable } from '@nestjs/common';
import { isValid } from 'ulid';
import type { Account } from '../auth/account.js';
import { Clock } from '../config/clock.js';
import { QueriesService } from '../queries/queries.service.js';
import { asOf, type Execution } from './execution.js';
import { hasResult } from './execution-state.js';
import { ExecutionNotFoundError, InvalidExecutionIdError } from './executions.errors.js';
import { ExecutionsRepository } from './executions.repository.js';

/** Decides which executions an account may see: its own, and stored results of public queries that read no private table. */
@Injectable()
export class ExecutionAccess {
  constructor(
    private readonly clock: Clock,
    private readonly queries: QueriesService,
    private readonly executions: ExecutionsRepository,
  ) {}

  /** @throws InvalidExecutionIdError, ExecutionNotFoundError */
  async getReadable(id: string, account: Account): Promise<Execution> {
    if (!isValid(id)) throw new InvalidExecutionIdError(id);
    const execution = await this.executions.find(id.toUpperCase());
    if (!execution || !(await this.isReadable(execution, account))) throw new ExecutionNotFoundError(id);
    return asOf(execution, this.clock.now());
  }

  async isReadable(execution: Execution, account: Account): Promise<boolean> {
    if (execution.accountId === account.id) return true;
    const isShared = hasResult(execution.state) || execution.state === 'EXPIRED';
    if (!isShared || execution.readPrivateTable || execution.queryId === undefined) return false;
    return this.queries.isPublic(execution.queryId);
  }
}
