import { createProgram } from './cli/program.js';
import { reportError } from './cli/report-error.js';
import { withDefaultCommand } from './cli/with-default-command.js';

/** Other users get no permission on files of this process and its children. */
const PRIVATE_UMASK = 0o077;

/** The program: one command, chosen by its first argument. */
async function main(): Promise<void> {
  process.umask(PRIVATE_UMASK);
  await createProgram().parseAsync(withDefaultCommand(process.argv.slice(2)), { from: 'user' });
}

main().catch(reportError);
