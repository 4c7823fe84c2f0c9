import type { Command } from 'commander';
import type { Config } from '../config/config.js';
import { type EffectiveSettings, readSettings } from '../config/read-settings.js';
import { toListing } from './to-listing.js';

const SECRETS: ReadonlySet<string> = new Set(['BOOTSTRAP_API_KEY']);

/** `eider config`: prints the settings of the service, and where each comes from. */
export function defineConfigCommands(command: Command): void {
  command.option('--json', 'print JSON', false).action(({ json }: { json: boolean }) => {
    console.log(listSettings(readSettings(), json));
  });
  command
    .command('check')
    .description('check the settings; every problem is listed, and the exit code is 1 if there is one')
    .action(() => {
      const { file } = readSettings();
      console.log(`The settings are valid. Configuration file: ${file?.path ?? 'none'}`);
    });
}

/** Sizes are in bytes and durations in milliseconds; a secret's value is not shown. */
export function listSettings({ config, sources, file }: EffectiveSettings, json: boolean): string {
  const rows = [...sources].map(([setting, source]) => ({
    setting,
    value: shownValue(setting, config[setting as keyof Config]),
    source: source === 'file' && file ? file.path : source,
  }));
  return toListing(rows, json);
}

function shownValue(setting: string, value: Config[keyof Config]): string | number | boolean | undefined {
  if (value === undefined) return undefined;
  if (SECRETS.has(setting)) return '(secret)';
  return Array.isArray(value) ? value.join(', ') : value;
}
