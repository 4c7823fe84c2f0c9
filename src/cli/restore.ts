import { resolve } from 'node:path';
import type { Command } from 'commander';
import { sizeOf } from '../backup/backup-manifest.js';
import { type RestoreReport, restoreBackup } from '../backup/restore-backup.js';
import { armFailpoints } from '../config/failpoint.js';
import { readSettings } from '../config/read-settings.js';
import { formatFiles } from './backup.js';
import { withProgress } from './with-progress.js';

interface RestoreOptions {
  readonly dataDir?: string;
  readonly json: boolean;
}

/** `eider restore`: makes a data folder of a backup. */
export function defineRestoreCommand(command: Command): void {
  command
    .argument('<backup>', 'folder of one backup')
    .option('--data-dir <folder>', 'the data folder, instead of DATA_DIR')
    .option('--json', 'print JSON', false)
    .action(async (backup: string, { dataDir, json }: RestoreOptions) => {
      const { config } = readSettings({ DATA_DIR: dataDir });
      armFailpoints(config.TEST_FAILPOINT);
      const work = (options: object) => restoreBackup(resolve(backup), config.DATA_DIR, options);
      const report = await withProgress(work);
      console.log(json ? JSON.stringify(toBody(config.DATA_DIR, report)) : describe(config.DATA_DIR, report));
    });
}

function toBody(dataDir: string, { manifest, requeued }: RestoreReport) {
  const { created_at, linked_tables, problems } = manifest;
  return { data_dir: dataDir, created_at, ...sizeOf(manifest), requeued_executions: requeued, linked_tables, problems };
}

function describe(dataDir: string, { manifest, requeued }: RestoreReport): string {
  const { created_at, linked_tables, problems } = manifest;
  return [
    `Restored the backup of ${created_at} into ${dataDir}: ${formatFiles(sizeOf(manifest))}`,
    ...(requeued > 0
      ? [`executions that were running, and run again after the start of the service: ${requeued}`]
      : []),
    ...linked_tables.map(({ table, pattern }) => `linked table, needs its files  ${table}  ${pattern}`),
    ...problems.map(({ path, problem }) => `problem when the backup was made  ${path} ${problem}`),
  ].join('\n');
}
