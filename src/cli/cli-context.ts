import { AccountsRepository } from '../auth/accounts.repository.js';
import { AccountsService } from '../auth/accounts.service.js';
import { ApiKeysRepository } from '../auth/api-keys.repository.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { Catalog } from '../catalog/catalog.js';
import { Clock } from '../common/clock.js';
import { loadConfig } from '../config/load-config.js';
import { QueriesRepository } from '../queries/queries.repository.js';
import { QueriesService } from '../queries/queries.service.js';

/** What the commands about accounts, keys and queries work with. They open the catalog themselves, beside a running server or without one. */
export interface CliContext {
  readonly accounts: AccountsService;
  readonly keys: ApiKeysService;
  readonly queries: QueriesService;
  /** Writes to the standard output: what a script may read. */
  readonly print: (text: string) => void;
  /** Writes to the standard error: what a person may want to know. */
  readonly note: (text: string) => void;
  close(): Promise<void>;
}

/** Opens what a command works with. */
export type OpenCliContext = () => Promise<CliContext>;

/** Opens the catalog that the settings name. */
export async function openCliContext(): Promise<CliContext> {
  return createCliContext(await Catalog.open(loadConfig().DATA_DIR));
}

/** The services of a catalog, writing to the console. */
export function createCliContext(catalog: Catalog, clock = new Clock()): CliContext {
  const accounts = new AccountsRepository(catalog);
  return {
    accounts: new AccountsService(accounts, clock),
    keys: new ApiKeysService(new ApiKeysRepository(catalog), accounts, clock),
    queries: new QueriesService(new QueriesRepository(catalog), clock),
    print: (text) => console.log(text),
    note: (text) => console.error(text),
    close: () => catalog.destroy(),
  };
}

/** Runs a command and closes what it worked with, whatever comes. */
export async function withCliContext(
  open: OpenCliContext,
  work: (context: CliContext) => Promise<void>,
): Promise<void> {
  const context = await open();
  try {
    await work(context);
  } finally {
    await context.close();
  }
}
