import { createProgram } from './cli/program.js';
import { reportFailure } from './cli/report-failure.js';

/** The program: one command, chosen by its first argument. */
async function main(): Promise<void> {
  await createProgram().parseAsync();
}

main().catch(reportFailure);
