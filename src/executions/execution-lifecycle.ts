import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Config } from '../config/config.js';
import { Engine } from './engine.js';
import { ExecutionRecovery } from './execution-recovery.js';
import { ExecutionRunner } from './execution-runner.js';

/** Recovers and starts the runner with the service, and stops it in order. */
@Injectable()
export class ExecutionLifecycle
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown
{
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly config: Config,
    private readonly engine: Engine,
    private readonly recovery: ExecutionRecovery,
    private readonly runner: ExecutionRunner,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.engine.open();
    await this.recovery.recover();
    this.runner.start();
  }

  /** Not awaited: executions in flight have the same time as requests in flight. */
  onModuleDestroy(): void {
    this.stopped = this.runner.stop(this.config.SHUTDOWN_GRACE);
  }

  /** The server listens until they have ended, so that health is answered. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.engine.close();
  }
}
