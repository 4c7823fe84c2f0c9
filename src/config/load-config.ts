import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { Config } from './config.js';
import { type Machine, readMachine } from './machine.js';
import { deriveMemorySettings, findExceededMemoryBudget } from './memory-budget.js';
import { OperatorError } from './operator-error.js';

/** The settings are wrong; the message lists every problem, and no value. */
export class ConfigError extends OperatorError {
  constructor(readonly problems: readonly string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
  }
}

type Values = Readonly<Record<string, unknown>>;

/** A value that a setting cannot have, or settings that cannot be together. */
export interface SettingProblem {
  /** Absent for a problem of several settings. */
  readonly setting?: string;
  readonly text: string;
}

/**
 * Reads the settings from the given values; what is absent or empty takes its default, derived
 * from the machine where it depends on it.
 *
 * @throws ConfigError with every problem at once.
 */
export function loadConfig(values: Values, machine: Machine = readMachine()): Config {
  const { config, problems } = checkSettings(values, machine);
  if (problems.length > 0) throw new ConfigError(problems.map(({ text }) => text));
  return config;
}

/**
 * Reads the settings as {@link loadConfig} does, and returns the problems. With one, the config
 * must not be used.
 */
export function checkSettings(
  values: Values,
  machine: Machine = readMachine(),
): { config: Config; problems: SettingProblem[] } {
  const memoryDefaults = deriveMemorySettings(machine);
  const defaults: object = { ...new Config(), ...memoryDefaults, ...deriveThreads(machine) };
  const names = new Set(settingNames());
  const given = Object.entries(values).filter(([name, value]) => names.has(name) && isGiven(value));
  const config = plainToInstance(Config, { ...defaults, ...Object.fromEntries(given) });
  const errors = validateSync(config);
  const problems: SettingProblem[] = errors.flatMap(({ property, constraints }) =>
    [...new Set(Object.values(constraints ?? {}))].map((text) => ({ setting: property, text })),
  );
  // There is no budget of settings that are not numbers.
  const hasBudget = errors.every(({ property }) => !(property in memoryDefaults));
  const exceeded = hasBudget ? findExceededMemoryBudget(config, machine) : undefined;
  if (exceeded) problems.push({ text: exceeded });
  return { config: Object.freeze(config), problems };
}

/** The names of the settings whose defaults are derived from the machine. */
export function machineSettingNames(machine: Machine): string[] {
  return Object.keys({ ...deriveMemorySettings(machine), ...deriveThreads(machine) });
}

/** Whether a value sets a setting: an empty one counts as absent. */
export function isGiven(value: unknown): boolean {
  return value !== '' && value !== undefined;
}

function deriveThreads({ cores }: Machine): Pick<Config, 'WORKER_THREADS' | 'READER_THREADS' | 'UPLOADER_THREADS'> {
  return { WORKER_THREADS: cores, READER_THREADS: cores, UPLOADER_THREADS: cores };
}

const OPTIONAL_SETTINGS = ['PUBLIC_URL', 'BOOTSTRAP_API_KEY', 'METRICS_PORT', 'TRACES_URL', 'TEST_FAILPOINT'];

/** The names of all settings. */
export function settingNames(): string[] {
  return [...Object.keys(new Config()), ...OPTIONAL_SETTINGS].filter((name, index, all) => all.indexOf(name) === index);
}
