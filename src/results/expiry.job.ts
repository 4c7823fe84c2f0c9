import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type ScheduledTask, schedule } from 'node-cron';
import { Config } from '../config/config.js';
import { SweepService } from './sweep.service.js';

/** Sweeps on schedule. */
@Injectable()
export class ExpiryJob implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ExpiryJob.name);
  private task: ScheduledTask | undefined;

  constructor(
    private readonly config: Config,
    private readonly sweeper: SweepService,
  ) {}

  onApplicationBootstrap(): void {
    this.task = schedule(this.config.SWEEP_SCHEDULE, () => this.run(), { timezone: 'UTC', noOverlap: true });
  }

  async onModuleDestroy(): Promise<void> {
    await this.task?.destroy();
  }

  private async run(): Promise<void> {
    try {
      const { expired, orphans } = await this.sweeper.sweep({ isDryRun: false });
      this.logger.log({ expired: expired.length, orphans: orphans.length }, 'Swept results');
    } catch (error) {
      this.logger.error({ err: error }, 'The sweep failed');
    }
  }
}
