import { type Command, InvalidArgumentError, Option } from 'commander';
import { DELIMITER_RULE, parseDelimiter } from '../processes/ingest/csv-delimiter.js';
import type { LinkOptions as ReadingOptions } from '../storage/linked/linked-text.js';
import { COLUMN_TYPES, toTableColumn } from '../types/column-types.js';
import type { TableColumn } from '../types/table-column.js';
import { toFullName } from '../uploads/table.js';
import { chooseAccount } from './choose-account.js';
import { type CliContext, type OpenCliContext, openCliContext, withCliContext } from './cli-context.js';

interface UnlinkOptions {
  readonly account?: string;
  readonly json: boolean;
}

interface LinkOptions extends UnlinkOptions {
  readonly private: boolean;
  readonly allText?: boolean;
  readonly delimiter?: string;
  readonly header?: 'yes' | 'no';
  readonly column?: readonly TableColumn[];
}

/** `table link`, `table unlink`. */
export function defineTableLinkCommands(table: Command, open: OpenCliContext = openCliContext): void {
  table
    .command('link')
    .description('make files under LINK_ROOTS a table that can only be read, without copying them')
    .argument('<name>', 'name of the table')
    .argument('<path>', 'a Parquet, CSV or NDJSON file, a folder of them, or a glob in quotes')
    .option('--account <handle>', 'whose; may be left out while there is one account')
    .option('--private', 'let no other account see it', false)
    .option('--all-text', 'take every value of CSV and NDJSON files as text')
    .option('--delimiter <character>', 'what separates the values of CSV files: , ; | or tab', toDelimiter)
    .addOption(
      new Option('--header <yes|no>', 'whether the first line of CSV files names the columns').choices(['yes', 'no']),
    )
    .option('--column <name:type>', 'type of a column of CSV or NDJSON files; can be given several times', addColumn)
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
  const { format, files } = await links.link(account, {
    name,
    pattern: path,
    isPrivate: options.private,
    options: toLinkOptions(options),
  });
  const linked = toFullName({ namespace: account.handle, name });
  const number = files.length === 1 ? '1 file' : `${files.length} files`;
  print(
    options.json
      ? JSON.stringify({ linked, format, files: files.length })
      : `Linked ${number} (${format}) as ${linked}`,
  );
}

function toLinkOptions({ allText, delimiter, header, column }: LinkOptions): ReadingOptions {
  return {
    ...(allText && { isAllText: true }),
    ...(delimiter !== undefined && { delimiter }),
    ...(header && { hasHeader: header === 'yes' }),
    ...(column && { columns: column }),
  };
}

function toDelimiter(text: string): string {
  const delimiter = parseDelimiter(text);
  if (delimiter === undefined) throw new InvalidArgumentError(`It must be ${DELIMITER_RULE}.`);
  return delimiter;
}

/** Adds `name:type` to the columns that were given before it. The name may hold colons. */
function addColumn(text: string, columns: readonly TableColumn[] = []): TableColumn[] {
  const at = text.lastIndexOf(':');
  const name = text.slice(0, Math.max(0, at));
  const type = COLUMN_TYPES.find((one) => one === text.slice(at + 1).toLowerCase());
  if (name === '' || !type) throw new InvalidArgumentError(`It must be a name and one of ${COLUMN_TYPES.join(', ')}.`);
  if (columns.some((column) => column.name.toLowerCase() === name.toLowerCase()))
    throw new InvalidArgumentError(`The column ${name} is given twice.`);
  return [...columns, toTableColumn(name, type, true)];
}

async function unlink({ accounts, links, print }: CliContext, name: string, options: UnlinkOptions): Promise<void> {
  const unlinked = toFullName(await links.unlink(await chooseAccount(accounts, options.account), name));
  print(options.json ? JSON.stringify({ unlinked }) : `Unlinked ${unlinked}`);
}
