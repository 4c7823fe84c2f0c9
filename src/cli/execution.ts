import { type Command, InvalidArgumentError, Option } from 'commander';
import { formatSize } from '../config/units.js';
import { parseExecutionId } from '../executions/execution-id.pipe.js';
import type { NamedExecution } from '../executions/execution-list.repository.js';
import { EXECUTION_STATES, type ExecutionState } from '../executions/execution-state.js';
import type { DeletedResult } from '../executions/result-deletion.service.js';
import { chooseAccount } from './choose-account.js';
import { type CliContext, type OpenCliContext, openCliContext, withCliContext } from './cli-context.js';
import { toListing } from './to-listing.js';

interface ListOptions {
  readonly account?: string;
  readonly state?: string;
  readonly limit: number;
  readonly json: boolean;
}

interface DeleteOptions {
  readonly account?: string;
  readonly json: boolean;
}

/** `execution list`, `execution delete`. */
export function defineExecutionCommands(execution: Command, open: OpenCliContext = openCliContext): void {
  const states = EXECUTION_STATES.map((state) => state.toLowerCase());

  execution
    .command('list')
    .description('list executions, newest first, with the bytes that their results take')
    .option('--account <handle>', 'whose; may be left out while there is one account')
    .addOption(new Option('--state <state>', 'only those in this state').choices(states))
    .addOption(new Option('--limit <number>', 'most to list').argParser(parseLimit).default(20))
    .option('--json', 'print JSON', false)
    .action((options: ListOptions) => withCliContext(open, (context) => list(context, options)));

  execution
    .command('delete')
    .description('delete the stored results of executions, which frees room in the plan of the account')
    .argument('<ids...>', 'ids of the executions')
    .option('--account <handle>', 'whose; may be left out while there is one account')
    .option('--json', 'print JSON', false)
    .action((ids: string[], options: DeleteOptions) =>
      withCliContext(open, (context) => deleteResults(context, ids, options)),
    );
}

async function list(
  { accounts, executions, print }: CliContext,
  { account, state, limit, json }: ListOptions,
): Promise<void> {
  const owner = await chooseAccount(accounts, account);
  const filter = { state: state?.toUpperCase() as ExecutionState | undefined };
  const { executions: found } = await executions.list(owner, filter, { limit, offset: 0 });
  print(toListing(found.map(toRow), json));
}

async function deleteResults(
  { accounts, deletion, print }: CliContext,
  ids: readonly string[],
  { account, json }: DeleteOptions,
): Promise<void> {
  const owner = await chooseAccount(accounts, account);
  const deleted: DeletedResult[] = [];
  for (const id of ids) deleted.push(await deletion.delete(parseExecutionId(id), owner));
  print(json ? JSON.stringify(deleted.map(toDeletedRow), undefined, 2) : deleted.map(describe).join('\n'));
}

function toRow(execution: NamedExecution) {
  return {
    id: execution.id,
    state: execution.state,
    query: execution.queryId,
    trigger: execution.origin.trigger,
    submitted_by: execution.origin.submittedBy,
    submitted_at: execution.submittedAt.toISOString(),
    rows: execution.result?.rowCount,
    bytes: execution.result?.fileBytes,
  };
}

function toDeletedRow({ executionId, state, freedBytes }: DeletedResult) {
  return { id: executionId, state, freed_bytes: freedBytes };
}

function describe({ executionId, state, freedBytes }: DeletedResult): string {
  if (freedBytes > 0) return `Deleted the result of ${executionId} (${formatSize(freedBytes)})`;
  return `${executionId} has no stored result (${state})`;
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1.');
  return Number(text);
}
