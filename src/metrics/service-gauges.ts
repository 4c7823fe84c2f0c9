import { statfs } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { readVersion } from '../config/version.js';
import { ExecutionQueue } from '../executions/execution-queue.js';
import { ExecutionRunner } from '../executions/execution-runner.js';
import type { GaugeValue, Metrics } from './metrics.js';
import { StorageTotalsRepository } from './storage-totals.repository.js';

/** What the service is like at the moment: slots, queue, stored bytes, disk. */
@Injectable()
export class ServiceGauges {
  constructor(
    private readonly config: Config,
    private readonly stored: StorageTotalsRepository,
    private readonly queue: ExecutionQueue,
    private readonly runner: ExecutionRunner,
  ) {}

  addTo(metrics: Metrics): void {
    metrics.addGauge('eider_build_info', 'Version of the service', ['version'], () => [
      { labels: { version: readVersion() }, value: 1 },
    ]);
    metrics.addGauge('eider_worker_slots', 'Slots of workers', ['state'], () => {
      const { used, total } = this.runner.countSlots();
      return [
        { labels: { state: 'used' }, value: used },
        { labels: { state: 'free' }, value: total - used },
      ];
    });
    metrics.addGauge('eider_executions_waiting', 'Executions that wait for a slot', ['plan'], () =>
      [...this.queue.countByPlan()].map(([plan, value]) => ({ labels: { plan }, value })),
    );
    metrics.addGauge('eider_stored_bytes', 'Bytes stored', ['kind'], () => this.storedBytes());
    metrics.addGauge('eider_disk_bytes', 'Disk of the data folder', ['state'], () => this.diskBytes());
  }

  private async storedBytes(): Promise<GaugeValue[]> {
    return [
      { labels: { kind: 'results' }, value: await this.stored.sumResults() },
      { labels: { kind: 'tables' }, value: await this.stored.sumTables() },
    ];
  }

  private async diskBytes(): Promise<GaugeValue[]> {
    const { bavail, blocks, bsize } = await statfs(this.config.DATA_DIR);
    return [
      { labels: { state: 'free' }, value: bavail * bsize },
      { labels: { state: 'total' }, value: blocks * bsize },
    ];
  }
}
