import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type ScheduledTask, schedule } from 'node-cron';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { logOrphans } from '../storage/orphan-sweep.js';
import { TableSweepService } from '../uploads/table-sweep.service.js';
import { SweepService } from './sweep.service.js';

/** Sweeps on schedule. */
@Injectable()
export class ExpiryJob implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ExpiryJob.name);
  private task: ScheduledTask | undefined;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly results: SweepService,
    private readonly tables: TableSweepService,
  ) {}

  onApplicationBootstrap(): void {
    this.task = schedule(this.config.SWEEP_SCHEDULE, () => this.run(), { timezone: 'UTC', noOverlap: true });
  }

  async onModuleDestroy(): Promise<void> {
    await this.task?.destroy();
  }

  private async run(): Promise<void> {
    try {
      const results = await this.results.sweep({ isDryRun: false });
      const tables = await this.tables.sweepTables(this.clock.now(), { isDryRun: false });
      logOrphans(this.logger, 'results', results.orphans);
      logOrphans(this.logger, 'tables', tables.orphans);
      const orphans = results.orphans.deleted.length + tables.orphans.deleted.length;
      const deletedFiles = orphans + tables.removed.length;
      this.logger.log({ expired: results.expired.length, deleted_files: deletedFiles }, 'Swept');
    } catch (error) {
      this.logger.error({ err: error }, 'The sweep failed');
    }
  }
}
