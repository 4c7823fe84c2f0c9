import { resolve } from 'node:path';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { Config } from '../config/config.js';
import { DuckDbEngine } from '../processes/run/duckdb-engine.js';
import { QueriesModule } from '../queries/queries.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { Engine } from './engine.js';
import { ExecutionAccess } from './execution-access.js';
import { ExecutionEvents } from './execution-events.js';
import { ExecutionLifecycle } from './execution-lifecycle.js';
import { ExecutionListRepository } from './execution-list.repository.js';
import { ExecutionListService } from './execution-list.service.js';
import { ExecutionQueue } from './execution-queue.js';
import { ExecutionRecovery } from './execution-recovery.js';
import { ExecutionRunner } from './execution-runner.js';
import { ExecutionWaits } from './execution-waits.js';
import { ExecutionsController } from './executions.controller.js';
import { ExecutionsRepository } from './executions.repository.js';
import { ExecutionsService } from './executions.service.js';
import { ResultDeletionService } from './result-deletion.service.js';
import { ResultQuota } from './result-quota.js';
import { runClasses } from './run-classes.js';

function openEngine(config: Config): Engine {
  return new DuckDbEngine({
    runsFolder: resolve(config.DATA_DIR, 'runs'),
    runsPerChild: config.RUNS_PER_CHILD,
    classes: runClasses(config),
  });
}

/** Runs saved queries and SQL, and keeps what they produced. */
@Module({
  imports: [AuthModule, QueriesModule, UploadsModule],
  controllers: [ExecutionsController],
  providers: [
    ExecutionAccess,
    ExecutionEvents,
    ExecutionLifecycle,
    ExecutionListRepository,
    ExecutionListService,
    ExecutionRecovery,
    ExecutionRunner,
    ExecutionWaits,
    ExecutionsRepository,
    ExecutionsService,
    ResultDeletionService,
    ResultQuota,
    {
      provide: ExecutionQueue,
      inject: [Config],
      useFactory: ({ MAX_QUEUED_PER_ACCOUNT, MAX_QUEUED }: Config) =>
        new ExecutionQueue({ perAccount: MAX_QUEUED_PER_ACCOUNT, total: MAX_QUEUED }),
    },
    { provide: Engine, inject: [Config], useFactory: openEngine },
  ],
  exports: [
    Engine,
    ExecutionsService,
    ExecutionWaits,
    ExecutionEvents,
    ExecutionQueue,
    ExecutionRunner,
    ExecutionsRepository,
  ],
})
export class ExecutionsModule {}
