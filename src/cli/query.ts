import { basename, extname } from 'node:path';
import { type Command, Option } from 'commander';
import type { Account } from '../auth/account.js';
import { SyntaxChecker } from '../processes/syntax/syntax-checker.js';
import { checkSavedSql } from '../queries/check-saved-sql.js';
import type { Parameter } from '../queries/parameter.js';
import type { QueriesService } from '../queries/queries.service.js';
import type { NewQuery, Query } from '../queries/query.js';
import { chooseAccount } from './choose-account.js';
import { type CliContext, type OpenCliContext, openCliContext, withCliContext } from './cli-context.js';
import { readInput } from './open-input.js';
import { parseParameter } from './parse-parameter.js';
import { toListing } from './to-listing.js';

interface AddOptions {
  name?: string;
  account?: string;
  description: string;
  private: boolean;
  param: Parameter[];
  tag: string[];
}

/** `query add`, `query list`. Returns the command `query`, to which others are added. */
export function defineQueryCommands(query: Command, open: OpenCliContext = openCliContext): void {
  query
    .command('add')
    .description('save the text of a file as a query and print its id')
    .argument('<file>', 'a file with one SELECT statement')
    .option('--name <name>', 'without it, the name of the file')
    .option('--account <handle>', 'who owns it; may be left out while there is one account')
    .option('--description <text>', 'what it is for', '')
    .option('--private', 'let no other account read or execute it', false)
    .addOption(repeatable('--param <key:type=default>', 'declare a parameter', parseParameter))
    .addOption(repeatable('--tag <tag>', 'give it a tag', (text) => text))
    .action((file: string, options: AddOptions) => withCliContext(open, (context) => add(context, file, options)));

  query
    .command('list')
    .description('list saved queries, newest first')
    .option('--account <handle>', 'whose; all accounts without')
    .option('--json', 'print JSON', false)
    .action(({ account, json }: { account?: string; json: boolean }) =>
      withCliContext(open, (context) => list(context, account, json)),
    );
}

function repeatable<T>(flags: string, description: string, parse: (text: string) => T): Option {
  return new Option(flags, `${description} (repeatable)`)
    .argParser((text, previous: T[]) => [...previous, parse(text)])
    .default([], 'none');
}

async function add({ accounts, queries, print, note }: CliContext, file: string, options: AddOptions): Promise<void> {
  const sql = await readInput(file);
  const account = await chooseAccount(accounts, options.account);
  const query: NewQuery = {
    name: options.name ?? basename(file, extname(file)),
    sql,
    description: options.description,
    tags: options.tag,
    parameters: options.param,
    isPrivate: options.private,
  };
  const reason = await checkInChild(query);
  if (reason !== undefined) note(`The syntax of the SQL was not checked: ${reason}`);
  const { id } = await queries.create(account, query);
  print(String(id));
}

/** Checks the SQL in a process of its own. Returns why that was not possible, if it was not. */
async function checkInChild({ sql, parameters }: NewQuery): Promise<string | undefined> {
  const checker = new SyntaxChecker();
  try {
    return await checkSavedSql(checker, sql, parameters);
  } finally {
    await checker.onApplicationShutdown();
  }
}

async function list(
  { accounts, queries, print }: CliContext,
  handle: string | undefined,
  json: boolean,
): Promise<void> {
  const owners = handle === undefined ? await accounts.list() : [await accounts.getByHandle(handle)];
  const saved = (await Promise.all(owners.map((owner) => listAll(queries, owner)))).flat();
  print(toListing(saved.sort((a, b) => b.id - a.id).map(toRow), json));
}

async function listAll(queries: QueriesService, owner: Account): Promise<readonly Query[]> {
  return (await queries.list(owner, { limit: Number.MAX_SAFE_INTEGER, offset: 0 })).queries;
}

function toRow(query: Query) {
  return {
    id: query.id,
    owner: query.owner,
    name: query.name,
    version: query.version,
    is_private: query.isPrivate,
    is_archived: query.isArchived,
    tags: query.tags.join(', '),
    updated_at: query.updatedAt.toISOString(),
  };
}
