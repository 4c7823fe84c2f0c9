import { Injectable } from '@nestjs/common';
import type { Account } from '../auth/account.js';
import type { ExecutionId } from '../catalog/ids.js';
import { Clock } from '../config/clock.js';
import { QueriesService } from '../queries/queries.service.js';
import { asOf, type Execution } from './execution.js';
import { hasResult } from './execution-state.js';
import { ExecutionNotFoundError } from './executions.errors.js';
import { ExecutionsRepository } from './executions.repository.js';

/** Decides which executions an account may see: see {@link isReadable}. */
@Injectable()
export class ExecutionAccess {
  constructor(
    private readonly clock: Clock,
    private readonly queries: QueriesService,
    private readonly executions: ExecutionsRepository,
  ) {}

  /** @throws ExecutionNotFoundError */
  async getReadable(id: ExecutionId, account: Account): Promise<Execution> {
    const execution = await this.executions.find(id);
    if (!execution || !(await this.isReadable(execution, account))) throw new ExecutionNotFoundError(id);
    return asOf(execution, this.clock.now());
  }

  /** Its own, and stored results of public queries that read no private table. */
  async isReadable(execution: Execution, account: Account): Promise<boolean> {
    if (execution.accountId === account.id) return true;
    const isShared = hasResult(execution.state) || execution.state === 'EXPIRED';
    if (!isShared || execution.readPrivateTable || execution.queryId === undefined) return false;
    return this.queries.isPublic(execution.queryId);
  }
}
