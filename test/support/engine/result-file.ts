import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RESULT_FILE } from '../../../src/executions/engine/duckdb/run-messages.js';

/** Whether the engine has begun to run the statement of an execution: it creates the result file then. */
export function hasResultFile(runsFolder: string, executionId: string): boolean {
  return readdirSync(runsFolder).some(
    (name) => name.startsWith(`${executionId}-`) && existsSync(join(runsFolder, name, RESULT_FILE)),
  );
}
