import { createRequire } from 'node:module';
import { join } from 'node:path';
import { OperatorError } from '../config/operator-error.js';
import { runtimeRoots } from '../config/runtime-roots.js';
import { openPackedFiles } from './packed-files.js';
import { openRuntimeFolder } from './runtime-folder.js';

const CHILD_SCRIPT = /\/dist\/children\/[a-z]+\.child\.cjs$/;

/**
 * The first word of the command line is the script of a child process if the server has started
 * this process as one.
 */
function findScript(firstWord = ''): string {
  if (process.send !== undefined && CHILD_SCRIPT.test(firstWord)) return firstWord;
  return join(openRuntimeFolder(openPackedFiles(), runtimeRoots()), 'dist/program/main.js');
}

/**
 * The single executable: runs the program, or the child process that it was started as, from
 * the unpacked files.
 */
function main(): void {
  const script = findScript(process.argv[2]);
  createRequire(script)(script);
}

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof OperatorError ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
