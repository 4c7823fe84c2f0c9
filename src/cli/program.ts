import { Command } from 'commander';
import { readVersion } from '../config/version.js';

/** Adds arguments, options, subcommands and the action to a command. */
type Definition = (command: Command) => void;

/**
 * The commands, each with its line of `--help` and its definitions. These are loaded when the
 * command is named: the service is twenty times what the others need.
 */
const COMMANDS: Readonly<Record<string, readonly [string, () => Promise<readonly Definition[]>]>> = {
  serve: [
    'run the service (what eider does without a command)',
    async () => [(await import('./serve.js')).defineServeCommand],
  ],
  sweep: [
    'delete results past their retention, parts taken out of tables, and files that a crash left behind',
    async () => [(await import('./sweep.js')).defineSweepCommand],
  ],
  migrate: [
    'bring the catalog of an earlier version up to date, as the start of the service does',
    async () => [(await import('./migrate.js')).defineMigrateCommand],
  ],
  backup: [
    'write a backup of the data folder into a folder of backups; works beside a running service',
    async () => [(await import('./backup.js')).defineBackupCommand],
  ],
  restore: [
    'copy a backup into a data folder that is absent or empty, and compare it with its manifest',
    async () => [(await import('./restore.js')).defineRestoreCommand],
  ],
  account: [
    'add and list accounts, change their plans',
    async () => [(await import('./account.js')).defineAccountCommands],
  ],
  key: ['create, list and revoke API keys', async () => [(await import('./key.js')).defineKeyCommands]],
  query: [
    'save, list and run queries',
    async () => [
      (await import('./query.js')).defineQueryCommands,
      (await import('./query-run.js')).defineQueryRunCommand,
    ],
  ],
  execution: [
    'list executions, and delete their results',
    async () => [(await import('./execution.js')).defineExecutionCommands],
  ],
  table: [
    'upload, link, list and drop tables',
    async () => [
      (await import('./table.js')).defineTableCommands,
      (await import('./table-upload.js')).defineTableUploadCommand,
      (await import('./table-link.js')).defineTableLinkCommands,
    ],
  ],
  config: [
    'print each setting, its value and where it comes from: environment, file, machine or default',
    async () => [(await import('./config.js')).defineConfigCommands],
  ],
  doctor: [
    'check machine, data folder, catalog, stored files and engine; the exit code is 1 if something is wrong',
    async () => [(await import('./doctor.js')).defineDoctorCommand],
  ],
  health: [
    'ask the running service whether it is ready; the exit code is 0 if it is',
    async () => [(await import('./health.js')).defineHealthCommand],
  ],
};

/** The program with its commands, which are defined when they are named. */
export function createProgram(): Command {
  const program = new Command('eider')
    .description('Saved SQL queries, their executions, and the stored results.')
    .version(readVersion())
    .option('--config <file>', 'configuration file (TOML), instead of EIDER_CONFIG or eider.toml in this folder')
    .hook('preSubcommand', (_program, command) => defineCommand(command))
    .hook('preAction', async (command) => {
      const { config } = command.opts<{ config?: string }>();
      if (config !== undefined) (await import('../config/config-file.js')).useConfigFile(config);
    });
  for (const [name, [description]] of Object.entries(COMMANDS)) program.command(name).description(description);
  return program;
}

/** Loads and adds all that belongs to a command of {@link createProgram}. */
export async function defineCommand(command: Command): Promise<void> {
  const [, load] = COMMANDS[command.name()] ?? [];
  for (const define of (await load?.()) ?? []) define(command);
}
