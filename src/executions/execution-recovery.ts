import { Injectable, Logger } from '@nestjs/common';
import { AccountsService } from '../auth/accounts.service.js';
import { Clock } from '../config/clock.js';
import { Config } from '../config/config.js';
import type { Execution } from './execution.js';
import { ExecutionQueue } from './execution-queue.js';
import { ExecutionsRepository } from './executions.repository.js';
import { toWaiting } from './waiting-execution.js';

/** After a stop or a crash, requeues what was EXECUTING, and what was waiting, in the old order. */
@Injectable()
export class ExecutionRecovery {
  private readonly logger = new Logger(ExecutionRecovery.name);

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly queue: ExecutionQueue,
    private readonly executions: ExecutionsRepository,
    private readonly accounts: AccountsService,
  ) {}

  /** Must be called once, before anything runs. */
  async recover(): Promise<void> {
    for (const execution of await this.executions.listIn('EXECUTING')) await this.recoverRunning(execution);
    const accounts = new Map((await this.accounts.list()).map((account) => [account.id, account]));
    for (const execution of await this.executions.listIn('PENDING')) {
      this.queue.add(toWaiting(execution, accounts.get(execution.accountId)?.plan ?? 'free'));
    }
  }

  private async recoverRunning(execution: Execution): Promise<void> {
    this.logger.warn(
      { execution: execution.id, attempt: execution.attempt },
      'An execution was running when the service stopped',
    );
    await recoverRunning(execution, this.executions, this.config, this.clock.now());
  }
}

/** Requeues an execution whose service has stopped; fails it after `MAX_ATTEMPTS`. */
export async function recoverRunning(
  { id, attempt }: Pick<Execution, 'id' | 'attempt'>,
  executions: ExecutionsRepository,
  { MAX_ATTEMPTS }: Pick<Config, 'MAX_ATTEMPTS'>,
  now: Date,
): Promise<void> {
  if (attempt < MAX_ATTEMPTS) {
    await executions.requeue(id);
    return;
  }
  const message = `The service stopped while running this query, ${attempt} times`;
  await executions.fail(id, 'EXECUTING', { type: 'FAILED_TYPE_INTERNAL', message }, now);
}
