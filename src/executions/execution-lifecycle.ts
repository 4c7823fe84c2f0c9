import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Engine } from './engine/engine.js';
import { ExecutionRecovery } from './execution-recovery.js';
import { ExecutionRunner } from './execution-runner.js';

/** Starts running executions when the service starts, after recovery, and stops in order when it stops. */
@Injectable()
export class ExecutionLifecycle implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly config: Config,
    private readonly engine: Engine,
    private readonly recovery: ExecutionRecovery,
    private readonly runner: ExecutionRunner,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.engine.open();
    await this.recovery.recover();
    this.runner.pump();
  }

  async onModuleDestroy(): Promise<void> {
    await this.runner.stop(this.config.SHUTDOWN_GRACE);
    await this.engine.close();
  }
}
