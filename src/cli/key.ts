import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ApiKey } from '../auth/api-key.js';
import { SCOPES, type Scope } from '../auth/scope.js';
import { type CliContext, type OpenCliContext, openCliContext, withCliContext } from './cli-context.js';
import { toListing } from './to-listing.js';

interface CreateOptions {
  name: string;
  scope: Scope;
  expiresDays?: number;
  json: boolean;
}

/** `key create`, `key list`, `key revoke`. */
export function defineKeyCommands(key: Command, open: OpenCliContext = openCliContext): void {
  key
    .command('create')
    .description('create an API key of an account and print it, this once')
    .argument('<account>', 'handle of the account')
    .option('--name <name>', 'what the key is for', 'key')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(SCOPES).default('read_write'))
    .addOption(new Option('--expires-days <days>', 'days until it ends; never without').argParser(parseDays))
    .option('--json', 'print JSON', false)
    .action((handle: string, options: CreateOptions) =>
      withCliContext(open, (context) => create(context, handle, options)),
    );

  key
    .command('list')
    .description('list API keys, oldest first; never the keys themselves')
    .argument('[account]', 'handle of an account; all accounts without')
    .option('--json', 'print JSON', false)
    .action((handle: string | undefined, { json }: { json: boolean }) =>
      withCliContext(open, (context) => list(context, handle, json)),
    );

  key
    .command('revoke')
    .description('end an API key at once, in a running server, too')
    .argument('<id>', 'the id that `key list` shows')
    .action((id: string) =>
      withCliContext(open, async ({ keys, print }) => {
        await keys.revoke(id);
        print(`Revoked the API key ${id}`);
      }),
    );
}

async function create(
  { accounts, keys, print, note }: CliContext,
  handle: string,
  options: CreateOptions,
): Promise<void> {
  const { name, scope, expiresDays } = options;
  const { key, text } = await keys.create(await accounts.getByHandle(handle), { name, scope, expiresDays });
  if (options.json) {
    print(JSON.stringify({ id: key.id, key: text }));
    return;
  }
  print(text);
  note('Keep it safe: it is not shown again.');
}

async function list({ accounts, keys, print }: CliContext, handle: string | undefined, json: boolean): Promise<void> {
  const account = handle === undefined ? undefined : await accounts.getByHandle(handle);
  const handles = new Map((await accounts.list()).map((each) => [each.id, each.handle]));
  print(
    toListing(
      (await keys.list(account)).map((key) => toRow(key, handles.get(key.accountId))),
      json,
    ),
  );
}

function toRow(key: ApiKey, account: string | undefined) {
  return {
    id: key.id,
    account,
    name: key.name,
    scope: key.scope,
    prefix: key.prefix,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString(),
    revoked_at: key.revokedAt?.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString(),
  };
}

function parseDays(text: string): number {
  const days = Number(text);
  if (!/^\d+$/.test(text) || days < 1 || days > 36_500)
    throw new InvalidArgumentError('It is a whole number from 1 to 36500.');
  return days;
}
