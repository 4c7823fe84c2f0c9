import { createProgram } from './cli/program.js';
import { reportFailure } from './cli/report-failure.js';
import { withDefaultCommand } from './cli/with-default-command.js';

/** Takes all permissions of other users from each file and folder that this process and its children make. */
const PRIVATE_UMASK = 0o077;

/** The program: one command, chosen by its first argument. */
async function main(): Promise<void> {
  process.umask(PRIVATE_UMASK);
  await createProgram().parseAsync(withDefaultCommand(process.argv.slice(2)), { from: 'user' });
}

main().catch(reportFailure);
