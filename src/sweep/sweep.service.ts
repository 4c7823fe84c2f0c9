import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../config/clock.js';
import { publish } from '../telemetry/events.js';
import { logOrphans, type OrphanReport } from './orphan-sweep.js';
import { ResultSweep } from './result-sweep.js';
import { TableSweep, type TableSweepReport } from './table-sweep.js';

/** What a sweep deleted, or would delete. */
export interface SweepReport {
  /** Executions whose results are past their retention. */
  readonly expired: readonly string[];
  /** Files of results that no execution has. */
  readonly orphans: OrphanReport;
  readonly tables: TableSweepReport;
}

/** Deletes what is past its retention and what a crash left: at start, on schedule, by command. */
@Injectable()
export class SweepService implements OnApplicationBootstrap {
  private readonly logger = new Logger(SweepService.name);
  private readonly startedAt = new Date();

  constructor(
    private readonly clock: Clock,
    private readonly results: ResultSweep,
    private readonly tables: TableSweep,
  ) {}

  /** What lay there before this process started, and belongs to nothing, came from a crash. */
  async onApplicationBootstrap(): Promise<void> {
    const options = { isDryRun: false };
    logOrphans(this.logger, 'results', await this.results.sweepOrphansBefore(this.startedAt, options));
    logOrphans(this.logger, 'tables', await this.tables.sweepOrphansBefore(this.startedAt, options));
  }

  /** May be called while results are read and tables are changed, and beside a running service. */
  async sweep(options: { isDryRun: boolean }): Promise<SweepReport> {
    const now = this.clock.now();
    const expired = await this.results.sweepExpired(now, options);
    const orphans = await this.results.sweepOrphans(now, options);
    const tables = await this.tables.sweep(now, options);
    const deleted = {
      results: expired.length,
      parts: tables.removed.length,
      orphans: orphans.deleted.length + tables.orphans.deleted.length,
    };
    if (!options.isDryRun) publish('sweep-ended', { deleted });
    return { expired, orphans, tables };
  }
}
