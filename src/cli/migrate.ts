import type { Command } from 'commander';
import { Catalog } from '../catalog/catalog.js';
import { DataFolderLock } from '../catalog/data-folder-lock.js';
import { armFailpoints } from '../config/failpoint.js';
import { readConfig } from '../config/read-settings.js';

interface MigrateOptions {
  readonly dryRun: boolean;
  readonly json: boolean;
}

/**
 * `eider migrate`: migrates the catalog of an earlier version, as the start of the service does.
 */
export function defineMigrateCommand(command: Command): void {
  command
    .option('--dry-run', 'only list the changes', false)
    .option('--json', 'print JSON', false)
    .action(async ({ dryRun, json }: MigrateOptions) => {
      const config = readConfig();
      armFailpoints(config.TEST_FAILPOINT);
      const changes = await migrate(config.DATA_DIR, dryRun);
      console.log(json ? JSON.stringify({ dry_run: dryRun, changes }) : describe(changes, dryRun));
    });
}

/** @returns the names of the changes that are applied, or would be. */
async function migrate(dataDir: string, isDryRun: boolean): Promise<string[]> {
  const catalog = await Catalog.openOlder(dataDir);
  try {
    const pending = await catalog.pendingMigrations();
    if (isDryRun || pending.length === 0) return pending;
    // A server at work would not know the tables any more.
    const lock = DataFolderLock.take(dataDir);
    try {
      return await catalog.migrate();
    } finally {
      lock.release();
    }
  } finally {
    await catalog.destroy();
  }
}

function describe(changes: readonly string[], isDryRun: boolean): string {
  if (changes.length === 0) return 'The catalog is up to date';
  const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
  return [`${isDryRun ? 'Would apply' : 'Applied'} ${count} to the catalog`, ...changes].join('\n');
}
