import { Injectable } from '@nestjs/common';
import type { Plan } from '../auth/account.js';
import { findPlanForResults, resultBytesAllowed } from '../auth/plan-limits.js';
import { Config } from '../config/config.js';
import { ResultStorageFullError } from './executions.errors.js';

/** What the stored results of an account take. */
export interface ResultStorage {
  readonly plan: Plan;
  readonly bytes: number;
}

/**
 * The bound on the stored results of an account, checked when an execution is submitted and when it
 * begins: an account can exceed it by the results of what it runs at the same time.
 */
@Injectable()
export class ResultQuota {
  constructor(private readonly config: Config) {}

  /** Why an account can start no execution, or nothing if it can. */
  findExcess({ plan, bytes }: ResultStorage): ResultStorageFullError | undefined {
    const allowed = resultBytesAllowed(plan, this.config);
    if (bytes < allowed) return undefined;
    const larger = findPlanForResults(bytes, this.config);
    return new ResultStorageFullError(
      { plan, bytes, allowed },
      larger && { plan: larger, allowed: resultBytesAllowed(larger, this.config) },
    );
  }

  /** @throws ResultStorageFullError */
  require(storage: ResultStorage): void {
    const excess = this.findExcess(storage);
    if (excess) throw excess;
  }
}
