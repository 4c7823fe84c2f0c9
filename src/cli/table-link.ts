import type { Command } from 'commander';
import { toFullName } from '../uploads/table.js';
import { chooseAccount } from './choose-account.js';
import { type CliContext, type OpenCliContext, openCliContext, withCliContext } from './cli-context.js';

interface UnlinkOptions {
  readonly account?: string;
  readonly json: boolean;
}

interface LinkOptions extends UnlinkOptions {
  readonly private: boolean;
}

/** `table link`, `table unlink`. */
export function registerTableLinkCommands(table: Command, open: OpenCliContext = openCliContext): void {
  table
    .command('link')
    .description('make files under LINK_ROOTS a table that can only be read, without copying them')
    .argument('<name>', 'name of the table')
    .argument('<path>', 'a Parquet, CSV or NDJSON file, a folder of them, or a glob in quotes')
    .option('--account <handle>', 'whose; may be left out while there is one account')
    .option('--private', 'let no other account see it', false)
    .option('--json', 'print JSON', false)
    .action((name: string, path: string, options: LinkOptions) =>
      withCliContext(open, (context) => link(context, name, path, options)),
    );

  table
    .command('unlink')
    .description('take a linked table away; its files stay as they are')
    .argument('<name>', 'name of the table')
    .option('--account <handle>', 'whose; may be left out while there is one account')
    .option('--json', 'print JSON', false)
    .action((name: string, options: UnlinkOptions) =>
      withCliContext(open, (context) => unlink(context, name, options)),
    );
}

async function link(
  { accounts, links, print }: CliContext,
  name: string,
  path: string,
  options: LinkOptions,
): Promise<void> {
  const account = await chooseAccount(accounts, options.account);
  const { format, files } = await links.link(account, { name, pattern: path, isPrivate: options.private });
  const linked = toFullName({ namespace: account.handle, name });
  const number = files.length === 1 ? '1 file' : `${files.length} files`;
  print(
    options.json
      ? JSON.stringify({ linked, format, files: files.length })
      : `Linked ${number} (${format}) as ${linked}`,
  );
}

async function unlink({ accounts, links, print }: CliContext, name: string, options: UnlinkOptions): Promise<void> {
  const unlinked = toFullName(await links.unlink(await chooseAccount(accounts, options.account), name));
  print(options.json ? JSON.stringify({ unlinked }) : `Unlinked ${unlinked}`);
}
