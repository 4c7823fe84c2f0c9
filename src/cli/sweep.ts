import type { Command } from 'commander';
import { Catalog } from '../catalog/catalog.js';
import { armFailpoints } from '../config/failpoint.js';
import { readConfig } from '../config/read-settings.js';
import { openSweep } from '../sweep/open-sweep.js';

/** `eider sweep`: the sweep that the service runs on schedule; works beside a running service. */
export function defineSweepCommand(command: Command): void {
  command
    .option('--dry-run', 'only list what would be deleted', false)
    .option('--json', 'print JSON', false)
    .action(async ({ dryRun, json }: { dryRun: boolean; json: boolean }) => {
      const config = readConfig();
      armFailpoints(config.TEST_FAILPOINT);
      const catalog = await Catalog.openExisting(config.DATA_DIR);
      try {
        const { expired, orphans, tables } = await openSweep(config, catalog).sweep({ isDryRun: dryRun });
        const report = {
          expired,
          orphans: orphans.deleted,
          removed_parts: tables.removed,
          orphan_parts: tables.orphans.deleted,
          kept_orphans: orphans.kept.length + tables.orphans.kept.length,
        };
        console.log(json ? JSON.stringify(report) : describe(report, dryRun));
      } finally {
        await catalog.destroy();
      }
    });
}

interface Report {
  readonly expired: readonly string[];
  readonly orphans: readonly string[];
  readonly removed_parts: readonly string[];
  readonly orphan_parts: readonly string[];
  /** Files that the catalog does not refer to, and whose grace time is not over. */
  readonly kept_orphans: number;
}

function describe(report: Report, isDryRun: boolean): string {
  const { expired, orphans, removed_parts, orphan_parts, kept_orphans } = report;
  const files = [...orphans, ...removed_parts, ...orphan_parts];
  const verb = isDryRun ? 'Would delete' : 'Deleted';
  return [
    `${verb} ${expired.length} expired results and ${files.length} other files`,
    ...expired.map((id) => `expired  ${id}`),
    ...orphans.map((file) => `result without an execution  ${file}`),
    ...removed_parts.map((file) => `part taken out of its table  ${file}`),
    ...orphan_parts.map((file) => `part without a table         ${file}`),
    ...(kept_orphans > 0 ? [`${kept_orphans} more without a row in the catalog: kept for ORPHAN_GRACE`] : []),
  ].join('\n');
}
