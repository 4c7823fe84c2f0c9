import { type FileHandle, open } from 'node:fs/promises';
import { OperatorError } from '../config/operator-error.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
};

/**
 * Opens a file that the command line names.
 *
 * @throws OperatorError if it cannot be read as a file.
 */
export async function openInput(path: string): Promise<FileHandle> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(path, error.code);
  });
  if (!(await file.stat()).isDirectory()) return file;
  await file.close();
  throw unreadable(path, 'EISDIR');
}

/**
 * Reads a text file that the command line names.
 *
 * @throws OperatorError if it cannot be read as a file.
 */
export async function readInput(path: string): Promise<string> {
  await using file = await openInput(path);
  return await file.readFile('utf8');
}

function unreadable(path: string, code = ''): OperatorError {
  return new OperatorError(`Cannot read ${path}: ${REASONS[code] ?? code}`);
}
