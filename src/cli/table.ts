import type { Command } from 'commander';
import type { Account } from '../auth/account.js';
import { toColumnTypeName } from '../types/column-types.js';
import { type ListedTable, toFullName } from '../uploads/table.js';
import { TableNotFoundError } from '../uploads/uploads.errors.js';
import { chooseAccount } from './choose-account.js';
import { type CliContext, type OpenCliContext, openCliContext, withCliContext } from './cli-context.js';
import { type ListingRow, toListing } from './to-listing.js';

interface Choice {
  readonly account?: string;
  readonly json: boolean;
}

/** `table list`, `describe` and `drop`. Returns the command `table`, to which others are added. */
export function defineTableCommands(table: Command, open: OpenCliContext = openCliContext): void {
  table
    .command('list')
    .description('list tables, by name')
    .option('--account <handle>', 'whose; all accounts without')
    .option('--json', 'print JSON', false)
    .action((options: Choice) => withCliContext(open, (context) => list(context, options)));

  table
    .command('describe')
    .description('print the columns of a table')
    .argument('<name>', 'its name, without the namespace')
    .option('--account <handle>', 'whose; may be left out while there is one account')
    .option('--json', 'print JSON', false)
    .action((name: string, options: Choice) => withCliContext(open, (context) => describe(context, name, options)));

  table
    .command('drop')
    .description('delete a table and its rows')
    .argument('<name>', 'its name, without the namespace')
    .option('--account <handle>', 'whose; may be left out while there is one account')
    .option('--json', 'print JSON', false)
    .action((name: string, options: Choice) => withCliContext(open, (context) => drop(context, name, options)));
}

async function list({ accounts, tables, print }: CliContext, { account, json }: Choice): Promise<void> {
  const owners = account === undefined ? await accounts.list() : [await accounts.getByHandle(account)];
  const rows: ListingRow[] = [];
  for (const owner of owners) rows.push(...(await allTables(tables, owner)).map(toRow));
  print(toListing(rows, json));
}

async function describe(
  { accounts, tables, print }: CliContext,
  name: string,
  { account, json }: Choice,
): Promise<void> {
  const owner = await chooseAccount(accounts, account);
  const table = (await allTables(tables, owner)).find((one) => one.name === name);
  if (!table) throw new TableNotFoundError();
  const columns = table.columns.map((column) => ({
    column: column.name,
    type: toColumnTypeName(column),
    nullable: column.nullable,
  }));
  if (json) print(JSON.stringify({ ...toRow(table), description: table.description, columns }, undefined, 2));
  else print(`${toListing([toRow(table)], false)}\n\n${toListing(columns, false)}`);
}

async function drop({ accounts, tables, print }: CliContext, name: string, { account, json }: Choice): Promise<void> {
  const owner = await chooseAccount(accounts, account);
  const dropped = toFullName(await tables.delete(owner, { namespace: owner.handle, name }));
  print(json ? JSON.stringify({ dropped }) : `Dropped ${dropped}`);
}

async function allTables(tables: CliContext['tables'], owner: Account): Promise<readonly ListedTable[]> {
  return (await tables.list(owner, { limit: Number.MAX_SAFE_INTEGER - 1, offset: 0 })).tables;
}

function toRow(table: ListedTable) {
  return {
    name: toFullName(table),
    rows: table.source ? undefined : table.rowCount,
    bytes: table.source ? undefined : table.sizeBytes,
    is_private: table.isPrivate,
    linked_to: table.source?.pattern,
    updated_at: table.updatedAt.toISOString(),
  };
}
