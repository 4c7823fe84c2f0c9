import { Command } from 'commander';
import { registerAccountCommand } from './account.js';
import { registerDoctorCommand } from './doctor.js';
import { registerExecutionCommand } from './execution.js';
import { registerKeyCommand } from './key.js';
import { registerQueryCommand } from './query.js';
import { registerQueryRunCommand } from './query-run.js';
import { registerServeCommand } from './serve.js';
import { registerSweepCommand } from './sweep.js';
import { registerTableCommand } from './table.js';
import { registerTableLinkCommands } from './table-link.js';
import { registerTableUploadCommand } from './table-upload.js';

/** The program with all its commands. Settings come from the environment. */
export function createProgram(): Command {
  const program = new Command('eider').description('Saved SQL queries, their executions, and the stored results.');
  registerServeCommand(program);
  registerSweepCommand(program);
  registerAccountCommand(program);
  registerKeyCommand(program);
  registerQueryRunCommand(registerQueryCommand(program));
  registerExecutionCommand(program);
  const table = registerTableCommand(program);
  registerTableUploadCommand(table);
  registerTableLinkCommands(table);
  registerDoctorCommand(program);
  return program;
}
