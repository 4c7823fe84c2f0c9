import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { OperatorError } from './operator-error.js';

/** The file that is read if it lies in the working directory and no other is named. */
const DEFAULT_CONFIG_FILE = 'eider.toml';

/**
 * Settings of a configuration file, as texts: what the environment would hold for the same
 * values.
 */
export interface ConfigFile {
  /** Absolute path. */
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
}

/** The configuration file cannot be read; the message names it, and the line if one is wrong. */
export class ConfigFileError extends OperatorError {
  constructor(path: string, reason: string) {
    super(`The configuration file ${path} ${reason}`);
  }
}

/** Names the configuration file, as the variable `EIDER_CONFIG` does. */
export function useConfigFile(path: string): void {
  process.env.EIDER_CONFIG = path;
}

/**
 * Reads the file that `EIDER_CONFIG` names, or `eider.toml` of the working directory if there is
 * one. A number or a boolean counts as its text and an array as a list, so that a value means
 * the same as in the environment.
 *
 * @throws ConfigFileError if a named file is missing, or a file is not TOML or holds other than
 *   settings' values.
 */
export function readConfigFile(named = process.env.EIDER_CONFIG): ConfigFile | undefined {
  const path = resolve(named || DEFAULT_CONFIG_FILE);
  const text = readText(path, !named);
  if (text === undefined) return undefined;
  const entries = Object.entries(parseToml(path, text));
  return { path, values: Object.fromEntries(entries.map(([name, value]) => [name, toText(path, name, value)])) };
}

/** Whether other users of the machine can read the file. */
export function isReadableByOthers({ path }: ConfigFile): boolean {
  return (statSync(path).mode & 0o044) !== 0;
}

function readText(path: string, isOptional: boolean): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (isOptional && code === 'ENOENT') return undefined;
    if (code === 'ENOENT') throw new ConfigFileError(path, 'does not exist: correct EIDER_CONFIG or --config');
    throw new ConfigFileError(path, `cannot be read: ${message}`);
  }
}

function parseToml(path: string, text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.replace('Invalid TOML document: ', '').split('\n');
    throw new ConfigFileError(path, `is not valid TOML: ${reason}, at line ${error.line}, column ${error.column}`);
  }
}

function toText(path: string, name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => toText(path, name, item)).join(',');
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
  throw new ConfigFileError(
    path,
    `holds no usable value of ${name}: expected a text, a number, true, false or an array of texts, without sections`,
  );
}
