import { AccountsRepository } from '../auth/accounts.repository.js';
import { AccountsService } from '../auth/accounts.service.js';
import { ApiKeysRepository } from '../auth/api-keys.repository.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { Catalog } from '../catalog/catalog.js';
import { Clock } from '../config/clock.js';
import { Config } from '../config/config.js';
import { readConfig } from '../config/read-settings.js';
import { ExecutionAccess } from '../executions/execution-access.js';
import { ExecutionEvents } from '../executions/execution-events.js';
import { ExecutionListRepository } from '../executions/execution-list.repository.js';
import { ExecutionListService } from '../executions/execution-list.service.js';
import { ExecutionsRepository } from '../executions/executions.repository.js';
import { ResultDeletionService } from '../executions/result-deletion.service.js';
import { QueriesRepository } from '../queries/queries.repository.js';
import { QueriesService } from '../queries/queries.service.js';
import { openResultStore, openTableStore } from '../storage/storage.module.js';
import { LinkedTablesService } from '../uploads/linked-tables.service.js';
import { TableChangesRepository } from '../uploads/table-changes.repository.js';
import { TablesRepository } from '../uploads/tables.repository.js';
import { TablesService } from '../uploads/tables.service.js';
import { describeInChild } from './describe-in-child.js';

/** What commands work with that open the catalog themselves, beside a running server or not. */
export interface CliContext {
  readonly accounts: AccountsService;
  readonly keys: ApiKeysService;
  readonly queries: QueriesService;
  readonly executions: ExecutionListService;
  readonly deletion: ResultDeletionService;
  readonly tables: TablesService;
  readonly links: LinkedTablesService;
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
  const config = readConfig();
  return createCliContext(await Catalog.openExisting(config.DATA_DIR), new Clock(), config);
}

/** The services of a catalog, writing to the console. */
export function createCliContext(catalog: Catalog, clock = new Clock(), config = new Config()): CliContext {
  const accountsRepository = new AccountsRepository(catalog);
  const accounts = new AccountsService(accountsRepository, clock);
  const tables = new TablesRepository(catalog);
  const changes = new TableChangesRepository(catalog, clock);
  const queries = new QueriesService(new QueriesRepository(catalog), clock);
  const executions = new ExecutionsRepository(catalog);
  const access = new ExecutionAccess(clock, queries, executions);
  return {
    accounts,
    keys: new ApiKeysService(new ApiKeysRepository(catalog), accountsRepository, clock),
    queries,
    executions: new ExecutionListService(clock, new ExecutionListRepository(catalog)),
    deletion: new ResultDeletionService(access, executions, openResultStore(config), new ExecutionEvents()),
    tables: new TablesService(config, tables, changes, accounts, openTableStore(config)),
    links: new LinkedTablesService(config, tables, changes, (files, options) =>
      describeInChild(files, options, config),
    ),
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
