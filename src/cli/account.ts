import { Argument, type Command, Option } from 'commander';
import { ACCOUNT_TYPES, type AccountType, PLANS, type Plan } from '../auth/account.js';
import { type OpenCliContext, openCliContext, withCliContext } from './cli-context.js';
import { toListing } from './to-listing.js';

/** `account add`, `account list`, `account plan`. */
export function defineAccountCommands(account: Command, open: OpenCliContext = openCliContext): void {
  account
    .command('add')
    .description('add an account; its handle is the namespace of its tables')
    .argument('<handle>', 'a lower-case letter, then lower-case letters, digits or _')
    .addOption(new Option('--type <type>', 'one person, or a team').choices(ACCOUNT_TYPES).default('user'))
    .addOption(new Option('--plan <plan>', 'decides storage and private uploads').choices(PLANS).default('free'))
    .action((handle: string, options: { type: AccountType; plan: Plan }) =>
      withCliContext(open, async ({ accounts, print }) => {
        const added = await accounts.create({ handle, type: options.type, plan: options.plan });
        print(`Added the account ${added.handle} (${added.type}, plan ${added.plan})`);
      }),
    );

  account
    .command('list')
    .description('list all accounts, oldest first')
    .option('--json', 'print JSON', false)
    .action(({ json }: { json: boolean }) =>
      withCliContext(open, async ({ accounts, print }) => {
        const rows = (await accounts.list()).map(({ handle, type, plan, createdAt }) => ({
          handle,
          type,
          plan,
          created_at: createdAt.toISOString(),
        }));
        print(toListing(rows, json));
      }),
    );

  account
    .command('plan')
    .description('change the plan of an account, from its next request on')
    .argument('<handle>', 'handle of the account')
    .addArgument(new Argument('<plan>', 'the new plan').choices(PLANS))
    .option('--json', 'print JSON', false)
    .action((handle: string, plan: Plan, { json }: { json: boolean }) =>
      withCliContext(open, async ({ accounts, print }) => {
        await accounts.setPlan(handle, plan);
        print(json ? JSON.stringify({ handle, plan }) : `The account ${handle} has the plan ${plan}`);
      }),
    );
}
