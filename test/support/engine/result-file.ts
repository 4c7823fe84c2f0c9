import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RESULT_FILE } from '../../../src/processes/run/run-messages.js';

/** The file to which the engine writes the result of an execution, once there is one. */
export function findResultFile(runsFolder: string, executionId: string): string | undefined {
  return readdirSync(runsFolder)
    .filter((name) => name.startsWith(`${executionId}-`))
    .map((name) => join(runsFolder, name, RESULT_FILE))
    .find(existsSync);
}

/**
 * Whether the engine has begun to run the statement of an execution: it creates the result file
 * then.
 */
export function hasResultFile(runsFolder: string, executionId: string): boolean {
  return findResultFile(runsFolder, executionId) !== undefined;
}
