import type { Command } from 'commander';
import { Catalog } from '../catalog/catalog.js';
import { Clock } from '../common/clock.js';
import { armFaultPoint } from '../common/fault-point.js';
import { loadConfig } from '../config/load-config.js';
import { ExecutionsRepository } from '../executions/executions.repository.js';
import { StoredResultsService } from '../executions/stored-results.service.js';
import { SweepService } from '../results/sweep.service.js';
import { openResultStore } from '../storage/storage.module.js';

/** `eider sweep`: the same sweep that the service runs on schedule; works beside a running service. */
export function registerSweepCommand(program: Command): void {
  program
    .command('sweep')
    .description('delete results past their retention, and files that a crash left behind')
    .option('--dry-run', 'only list what would be deleted', false)
    .option('--json', 'print JSON', false)
    .action(async ({ dryRun, json }: { dryRun: boolean; json: boolean }) => {
      const config = loadConfig();
      armFaultPoint(config.TEST_FAULT_POINT);
      const catalog = await Catalog.open(config.DATA_DIR);
      try {
        const stored = new StoredResultsService(new ExecutionsRepository(catalog));
        const sweeper = new SweepService(new Clock(), stored, openResultStore(config));
        const report = await sweeper.sweep({ isDryRun: dryRun });
        console.log(json ? JSON.stringify(report) : describe(report, dryRun));
      } finally {
        await catalog.destroy();
      }
    });
}

function describe(
  { expired, orphans }: { expired: readonly string[]; orphans: readonly string[] },
  isDryRun: boolean,
): string {
  const verb = isDryRun ? 'Would delete' : 'Deleted';
  const lines = [`${verb} ${expired.length} expired results and ${orphans.length} files without an execution`];
  return [...lines, ...expired.map((id) => `expired  ${id}`), ...orphans.map((file) => `orphan   ${file}`)].join('\n');
}
