import type { Config } from './config.js';
import { type ConfigFile, isReadableByOthers, readConfigFile } from './config-file.js';
import { ConfigError, checkSettings, isGiven, machineSettingNames, settingNames } from './load-config.js';
import { readMachine } from './machine.js';
import { findMeantName } from './nearest-names.js';

/** Where the value of a setting comes from. */
export type SettingSource = 'flag' | 'environment' | 'file' | 'machine' | 'default';

/** The settings that a command runs with. */
export interface EffectiveSettings {
  readonly config: Config;
  readonly sources: ReadonlyMap<string, SettingSource>;
  /** The configuration file, if there is one. */
  readonly file?: ConfigFile;
}

type Flags = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings of this process: flags before the environment, the environment before the
 * configuration file, and the file before the defaults.
 *
 * @throws ConfigError with every problem at once. A name in the file that is no setting is one.
 * @throws ConfigFileError if the file cannot be read.
 */
export function readSettings(flags: Flags = {}): EffectiveSettings {
  const file = readConfigFile();
  const machine = readMachine();
  const sources = new Map<string, SettingSource>(settingNames().map((name) => [name, 'default']));
  for (const name of machineSettingNames(machine)) sources.set(name, 'machine');
  const given: Record<string, unknown> = {};
  for (const [source, values] of Object.entries({ file: file?.values ?? {}, environment: process.env, flag: flags }))
    for (const [name, value] of Object.entries(values)) {
      if (!sources.has(name) || !isGiven(value)) continue;
      given[name] = value;
      sources.set(name, source as SettingSource);
    }
  const { config, problems } = checkSettings(given, machine);
  const texts = problems.map(({ setting, text }) =>
    file && setting && sources.get(setting) === 'file' ? `${text} (in ${file.path})` : text,
  );
  texts.push(...unknownNames(file, [...sources.keys()]));
  if (texts.length > 0) throw new ConfigError(texts);
  return { config, sources, file };
}

/** The settings of this process, as {@link readSettings} reads them. */
export function readConfig(): Config {
  return readSettings().config;
}

/** A warning if other users of the machine can read an API key in the configuration file. */
export function configFileWarning({ file }: EffectiveSettings): string | undefined {
  if (!file?.values.BOOTSTRAP_API_KEY || !isReadableByOthers(file)) return undefined;
  return `Other users of this machine can read BOOTSTRAP_API_KEY in ${file.path}. Make the file private: chmod 600`;
}

function unknownNames(file: ConfigFile | undefined, settings: readonly string[]): string[] {
  return Object.keys(file?.values ?? {})
    .filter((name) => !settings.includes(name))
    .map((name) => {
      const meant = findMeantName(name, settings);
      return `${name} is not a setting${meant ? `, did you mean ${meant}?` : ''} (in ${file?.path})`;
    });
}
