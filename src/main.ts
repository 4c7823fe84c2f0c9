import { createProgram } from './cli/program.js';
import { reportFailure } from './cli/report-failure.js';
import { withDefaultCommand } from './cli/with-default-command.js';

/** The program: one command, chosen by its first argument. */
async function main(): Promise<void> {
  await createProgram().parseAsync(withDefaultCommand(process.argv.slice(2)), { from: 'user' });
}

main().catch(reportFailure);
