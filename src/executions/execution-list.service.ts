import { Injectable } from '@nestjs/common';
import type { Account } from '../auth/account.js';
import { Clock } from '../config/clock.js';
import type { ListPage } from '../http/list-page.js';
import { asOf } from './execution.js';
import { type ExecutionFilter, ExecutionListRepository, type NamedExecution } from './execution-list.repository.js';

/** Some of an account's executions. */
export interface ExecutionPage {
  readonly executions: readonly NamedExecution[];
  /** How many match the filter in all. */
  readonly total: number;
  /** Where the next page begins, if there is one. */
  readonly nextOffset?: number;
}

/** Lists the executions of accounts, as they stand now. */
@Injectable()
export class ExecutionListService {
  constructor(
    private readonly clock: Clock,
    private readonly executions: ExecutionListRepository,
  ) {}

  /** One page of the account's own executions, newest first. */
  async list(account: Account, filter: ExecutionFilter, page: ListPage): Promise<ExecutionPage> {
    const now = this.clock.now();
    const [executions, total] = await Promise.all([
      this.executions.list(account.id, filter, now, page),
      this.executions.count(account.id, filter, now),
    ]);
    const end = page.offset + executions.length;
    return {
      executions: executions.map((execution) => asOf(execution, now)),
      total,
      nextOffset: executions.length > 0 && end < total ? end : undefined,
    };
  }
}
