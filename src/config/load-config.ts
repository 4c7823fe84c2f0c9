import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { Config } from './config.js';
import { type Machine, readMachine } from './machine.js';
import { deriveMemorySettings, findMemoryLawBreach } from './memory-law.js';
import { OperatorError } from './operator-error.js';

/** The settings are wrong; the message lists every problem, and no value. */
export class ConfigError extends OperatorError {
  constructor(readonly problems: readonly string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
  }
}

type Environment = Readonly<Record<string, unknown>>;

/**
 * Reads the settings from the environment; what is absent or empty takes its default, derived from the machine where it depends on it.
 *
 * @throws ConfigError with every problem at once.
 */
export function loadConfig(environment: Environment = process.env, machine: Machine = readMachine()): Config {
  const memoryDefaults = deriveMemorySettings(machine);
  const defaults: object = { ...new Config(), ...memoryDefaults, ...deriveThreads(machine) };
  const given = Object.entries(environment).filter(
    ([name, value]) => isSetting(name) && value !== '' && value !== undefined,
  );
  const config = plainToInstance(Config, { ...defaults, ...Object.fromEntries(given) });
  const errors = validateSync(config);
  const problems = errors.flatMap((error) => [...new Set(Object.values(error.constraints ?? {}))]);
  // The law says nothing of settings that are no figures.
  const canWeigh = errors.every(({ property }) => !(property in memoryDefaults));
  const breach = canWeigh ? findMemoryLawBreach(config, machine) : undefined;
  if (breach) problems.push(breach);
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

/** Like {@link loadConfig}, with values of flags of the command line in place of those of the environment. */
export function loadConfigWith(flags: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return loadConfig({ ...process.env, ...Object.fromEntries(given) });
}

function deriveThreads({ cores }: Machine): Pick<Config, 'WORKER_THREADS' | 'READER_THREADS' | 'UPLOADER_THREADS'> {
  return { WORKER_THREADS: cores, READER_THREADS: cores, UPLOADER_THREADS: cores };
}

const OPTIONAL_SETTINGS = ['PUBLIC_URL', 'BOOTSTRAP_API_KEY', 'TEST_FAULT_POINT'];

/** The names of all settings. */
export function settingNames(): string[] {
  return [...Object.keys(new Config()), ...OPTIONAL_SETTINGS].filter((name, index, all) => all.indexOf(name) === index);
}

function isSetting(name: string): boolean {
  return settingNames().includes(name);
}
