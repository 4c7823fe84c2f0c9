import { resolve } from 'node:path';
import type { Command } from 'commander';
import { BackupFolder } from '../backup/backup-folder.js';
import { type BackupManifest, sizeOf } from '../backup/backup-manifest.js';
import { openStores } from '../backup/catalog-blobs.js';
import { type BackupReport, createBackup } from '../backup/create-backup.js';
import { verifyBackup } from '../backup/verify-backup.js';
import { Catalog } from '../catalog/catalog.js';
import { armFailpoints } from '../config/failpoint.js';
import { readConfig } from '../config/read-settings.js';
import { formatSize } from '../config/units.js';
import { withProgress } from './with-progress.js';

interface CommandOptions {
  readonly verify: boolean;
  readonly full: boolean;
  readonly json: boolean;
}

/** `eider backup`: copies the data folder, beside a running service or without one. */
export function defineBackupCommand(command: Command): void {
  command
    .argument('<folder>', 'folder of backups, which is created when absent; with --verify, one backup')
    .option('--full', 'copy files that an earlier backup in the folder has, too, instead of linking to them', false)
    .option('--verify', 'read a backup and compare it with its manifest; the exit code is 1 if it is damaged', false)
    .option('--json', 'print JSON', false)
    .action(async (folder: string, { verify, full, json }: CommandOptions) => {
      const report = verify ? await check(resolve(folder)) : await backUp(folder, full);
      console.log(json ? JSON.stringify(report.body) : report.lines.join('\n'));
      if (report.body.problems.length > 0) process.exitCode = 1;
    });
}

/** What a command has to say. */
interface Report {
  readonly body: Readonly<Record<string, unknown>> & Pick<BackupManifest, 'problems'>;
  readonly lines: readonly string[];
}

async function backUp(folder: string, isFull: boolean): Promise<Report> {
  const config = readConfig();
  armFailpoints(config.TEST_FAILPOINT);
  const catalog = await Catalog.openOlder(config.DATA_DIR);
  try {
    const source = { catalog, stores: openStores(config.DATA_DIR) };
    const target = await BackupFolder.open(folder, config.DATA_DIR);
    try {
      return describeBackup(await withProgress((options) => createBackup(target, source, { ...options, isFull })));
    } finally {
      target.close();
    }
  } finally {
    await catalog.destroy();
  }
}

function describeBackup({ path, manifest, copiedFiles, copiedBytes }: BackupReport): Report {
  const { linked_tables, problems } = manifest;
  const size = sizeOf(manifest);
  const counts = { copied_files: copiedFiles, copied_bytes: copiedBytes };
  return {
    body: { backup: path, created_at: manifest.created_at, ...size, ...counts, linked_tables, problems },
    lines: [
      `Wrote the backup ${path}`,
      `${formatFiles(size)}, of which ${copiedFiles} (${formatSize(copiedBytes)}) were copied: the others are those of the backup before`,
      ...linked_tables.map(({ table, pattern }) => `linked table, files not in the backup  ${table}  ${pattern}`),
      ...problems.map(({ path: file, problem }) => `problem in the data folder  ${file} ${problem}`),
    ],
  };
}

async function check(folder: string): Promise<Report> {
  const { manifest, problems } = await withProgress((options) => verifyBackup(folder, options));
  const size = sizeOf(manifest);
  return {
    body: { backup: folder, created_at: manifest.created_at, ...size, problems },
    lines: [
      problems.length === 0
        ? `The backup ${folder} is sound: ${formatFiles(size)}`
        : `The backup ${folder} is damaged: ${problems.length} of ${formatFiles(size)}`,
      ...problems.map(({ path, problem }) => `${path} ${problem}`),
    ],
  };
}

/** A count of files with their size, for people. */
export function formatFiles({ files, size_bytes }: { files: number; size_bytes: number }): string {
  return `${files} files, ${formatSize(size_bytes)}`;
}
