import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type ScheduledTask, schedule } from 'node-cron';
import { Config } from '../config/config.js';
import { logOrphans } from './orphan-sweep.js';
import { SweepService } from './sweep.service.js';

/** Sweeps on schedule. */
@Injectable()
export class SweepJob implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SweepJob.name);
  private task: ScheduledTask | undefined;

  constructor(
    private readonly config: Config,
    private readonly sweeps: SweepService,
  ) {}

  onApplicationBootstrap(): void {
    this.task = schedule(this.config.SWEEP_SCHEDULE, () => this.run(), { timezone: 'UTC', noOverlap: true });
  }

  async onModuleDestroy(): Promise<void> {
    await this.task?.destroy();
  }

  private async run(): Promise<void> {
    try {
      const { expired, orphans, tables } = await this.sweeps.sweep({ isDryRun: false });
      logOrphans(this.logger, 'results', orphans);
      logOrphans(this.logger, 'tables', tables.orphans);
      const deletedFiles = orphans.deleted.length + tables.orphans.deleted.length + tables.removed.length;
      this.logger.log({ expired: expired.length, deleted_files: deletedFiles }, 'Swept');
    } catch (error) {
      this.logger.error({ err: error }, 'The sweep failed');
    }
  }
}
