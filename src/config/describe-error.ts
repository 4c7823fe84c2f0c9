import { resolve } from 'node:path';
import pino from 'pino';
import type { Config } from './config.js';
import { projectRoot } from './project-root.js';

/**
 * Makes the function that describes errors for the log, with their causes, and with no folder
 * of this server in any text.
 */
export function errorDescriber({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): (error: unknown) => object {
  // The data folder first: it can lie within the other.
  const folders = [
    [resolve(DATA_DIR), 'DATA_DIR'],
    [projectRoot(), '.'],
  ] as const;
  const withoutFolders = (text: string) =>
    folders.reduce((shorter, [folder, name]) => shorter.replaceAll(folder, name), text);
  return (error) => {
    if (!isErrorLike(error)) return { message: withoutFolders(String(error)) };
    const { type, message, stack } = pino.stdSerializers.err(error);
    return { type, message: withoutFolders(message), stack: withoutFolders(stack) };
  };
}

/** Not `instanceof`: errors can come from another realm. */
function isErrorLike(error: unknown): error is Error {
  const { message, stack } = (error ?? {}) as Partial<Error>;
  return typeof message === 'string' && typeof stack === 'string';
}
