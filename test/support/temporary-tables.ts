import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Account, Plan } from '../../src/auth/account.js';
import { AccountsRepository } from '../../src/auth/accounts.repository.js';
import { AccountsService } from '../../src/auth/accounts.service.js';
import { Config } from '../../src/config/config.js';
import { TableStore } from '../../src/storage/storage.module.js';
import { RemovedPartsRepository } from '../../src/uploads/removed-parts.repository.js';
import { StageUpload } from '../../src/uploads/stage-upload.pipe.js';
import type { TableName } from '../../src/uploads/table.js';
import { TableChangesRepository } from '../../src/uploads/table-changes.repository.js';
import { TableMerger } from '../../src/uploads/table-merger.js';
import { TablePartsService } from '../../src/uploads/table-parts.service.js';
import { TablesRepository } from '../../src/uploads/tables.repository.js';
import { TablesService } from '../../src/uploads/tables.service.js';
import type { UploadRequest } from '../../src/uploads/upload-request.decorator.js';
import { type Inserted, type Uploaded, UploadsService } from '../../src/uploads/uploads.service.js';
import { SetClock } from './set-clock.js';
import { openTemporaryCatalog, type TemporaryCatalog } from './temporary-catalog.js';
import { TemporaryIngest } from './temporary-ingest.js';

class OvertakenChanges extends TableChangesRepository {
  constructor(
    catalog: ConstructorParameters<typeof TableChangesRepository>[0],
    clock: SetClock,
    private readonly overtake: () => Promise<unknown>,
  ) {
    super(catalog, clock);
  }

  override async merge(...change: Parameters<TableChangesRepository['merge']>): Promise<boolean> {
    await this.overtake();
    return super.merge(...change);
  }
}

/** The services of tables, on a catalog, a store and an ingest of their own. */
export class TemporaryTables {
  readonly clock = new SetClock();
  readonly repository: TablesRepository;
  readonly changes: TableChangesRepository;
  readonly merger: TableMerger;
  readonly tables: TablesService;
  readonly uploads: UploadsService;
  private readonly staging: StageUpload;
  private readonly accounts: AccountsService;
  private readonly store: TableStore;

  private readonly parts: TablePartsService;

  private constructor(
    private readonly temporary: TemporaryCatalog,
    private readonly ingesting: TemporaryIngest,
  ) {
    const config = Object.assign(new Config(), { DATA_DIR: ingesting.folder });
    const { catalog } = temporary;
    this.accounts = new AccountsService(new AccountsRepository(catalog), this.clock);
    this.store = new TableStore(join(ingesting.folder, 'tables'));
    this.repository = new TablesRepository(catalog);
    this.changes = new TableChangesRepository(catalog, this.clock);
    this.tables = new TablesService(config, this.repository, this.changes, this.accounts, this.store);
    this.parts = new TablePartsService(this.store, new RemovedPartsRepository(catalog));
    this.merger = this.makeMerger();
    this.staging = new StageUpload(config, ingesting.ingest);
    this.uploads = new UploadsService(config, this.tables, this.changes, this.parts, ingesting.ingest, this.merger);
  }

  static async open(): Promise<TemporaryTables> {
    return new TemporaryTables(await openTemporaryCatalog(), await TemporaryIngest.open());
  }

  async close(): Promise<void> {
    await this.merger.onModuleDestroy();
    await this.ingesting.close();
    await this.temporary.close();
  }

  /**
   * Another merger, as a service has that starts again. `overtake` comes between a merge that has
   * been made and its commit.
   */
  makeMerger(overtake?: () => Promise<unknown>): TableMerger {
    const changes = overtake ? new OvertakenChanges(this.temporary.catalog, this.clock, overtake) : this.changes;
    return new TableMerger(this.repository, changes, this.parts, this.ingesting.ingest);
  }

  givenAccount(handle: string, plan: Plan = 'premium'): Promise<Account> {
    return this.accounts.create({ handle, type: 'user', plan });
  }

  /** Makes a table of a request with CSV. */
  async upload(account: Account, request: UploadRequest): Promise<Uploaded> {
    return this.uploads.upload(account, await this.staging.transform(request));
  }

  /** Adds the rows of a request with CSV to a table. */
  async insert(account: Account, name: TableName, request: UploadRequest): Promise<Inserted> {
    return this.uploads.insert(account, name, { request, format: 'csv', csv: { columnNames: 'keep' } });
  }

  /** The names of the blobs in the store. */
  async blobs(): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of this.store.list()) names.push(name);
    return names.toSorted();
  }

  /** Files that lie in the staging folder. */
  staged(): Promise<string[]> {
    return this.ingesting.leftovers();
  }

  /** Every row of an account's table, values as text. */
  async rows({ handle }: Account, name: string): Promise<unknown[]> {
    const table = await this.repository.find({ namespace: handle, name });
    if (!table) throw new Error(`There is no table ${name}`);
    const paths = table.parts.map(({ blob }) => this.store.pathOf(blob));
    const rows = await Promise.all(
      paths.map((path) => this.ingesting.rows({ ...table, path, rowCount: 0, sizeBytes: 0 })),
    );
    return rows.flat();
  }
}

/** A request that brings CSV. */
export function csvRequest(
  text: string,
  { query = {}, signal }: { query?: object; signal?: AbortSignal } = {},
): UploadRequest {
  return {
    stream: Readable.from([Buffer.from(text)]),
    contentType: 'text/csv',
    query: { ...query },
    signal: signal ?? new AbortController().signal,
  };
}
