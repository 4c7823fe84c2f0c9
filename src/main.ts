import { Command } from 'commander';
import { registerAccountCommand } from './cli/account.js';
import { registerDoctorCommand } from './cli/doctor.js';
import { registerKeyCommand } from './cli/key.js';
import { registerQueryCommand } from './cli/query.js';
import { registerQueryRunCommand } from './cli/query-run.js';
import { reportFailure } from './cli/report-failure.js';
import { registerServeCommand } from './cli/serve.js';
import { registerSweepCommand } from './cli/sweep.js';
import { registerTableCommand } from './cli/table.js';
import { registerTableLinkCommands } from './cli/table-link.js';
import { registerTableUploadCommand } from './cli/table-upload.js';

/** The program: one command, chosen by its first argument. Settings come from the environment. */
async function main(): Promise<void> {
  const program = new Command('eider').description('Saved SQL queries, their executions, and the stored results.');
  registerServeCommand(program);
  registerSweepCommand(program);
  registerAccountCommand(program);
  registerKeyCommand(program);
  registerQueryRunCommand(registerQueryCommand(program));
  const table = registerTableCommand(program);
  registerTableUploadCommand(table);
  registerTableLinkCommands(table);
  registerDoctorCommand(program);
  await program.parseAsync();
}

main().catch(reportFailure);
