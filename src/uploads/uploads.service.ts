import { Injectable } from '@nestjs/common';
import type { Account } from '../auth/account.js';
import { Config } from '../config/config.js';
import { InvalidRequestError } from '../http/common.errors.js';
import type { RenamedColumn } from '../processes/ingest/csv-options.js';
import { Ingest } from '../processes/ingest/ingest.js';
import { stagingFolder } from '../processes/ingest/open-ingest.js';
import type { IngestedPart } from '../processes/ingest/staged-file.js';
import { discard, stageBody, textChunks } from '../processes/ingest/staging.js';
import type { TableColumn } from '../types/table-column.js';
import { checkSchema } from './check-schema.js';
import type { NewEmptyTable, NewRows, NewUpload, TableTraits } from './new-upload.js';
import type { Table, TableName } from './table.js';
import { TableChangesRepository } from './table-changes.repository.js';
import { TableMerger } from './table-merger.js';
import { findTableNameIssue } from './table-name.js';
import { TablePartsService } from './table-parts.service.js';
import { TablesService } from './tables.service.js';
import { MAX_INSERT_BYTES, refuseLargerBody } from './upload-request.decorator.js';
import { InvalidTableNameError, NamespaceNotFoundError, PrivateTableError } from './uploads.errors.js';

/** A table that was made of an upload. */
export interface Uploaded {
  readonly table: TableName;
  readonly rowCount: number;
  readonly columns: readonly TableColumn[];
  readonly renamed?: readonly RenamedColumn[];
}

/** Rows that an insert has added. */
export interface Inserted {
  readonly table: TableName;
  readonly rowCount: number;
  readonly sizeBytes: number;
  readonly renamed?: readonly RenamedColumn[];
}

/** Makes tables and changes their rows. What fails changes nothing and leaves no file. */
@Injectable()
export class UploadsService {
  private readonly stagingFolder: string;

  constructor(
    config: Config,
    private readonly tables: TablesService,
    private readonly changes: TableChangesRepository,
    private readonly parts: TablePartsService,
    private readonly ingest: Ingest,
    private readonly merger: TableMerger,
  ) {
    this.stagingFolder = stagingFolder(config);
  }

  /**
   * Makes a table of a CSV text, in the place of the one of that name.
   *
   * @throws InvalidTableNameError, PrivateTableError, LinkedTableError, StorageFullError
   */
  async upload(account: Account, upload: NewUpload): Promise<Uploaded> {
    const { rowCount, columns, renamed, ...staged } = await this.inferPart(account, upload);
    const table = { ...upload.table, accountId: account.id, columns };
    await this.parts.commit({ ...staged, rowCount }, (part) => this.changes.replace({ ...table, parts: [part] }));
    return { table: { namespace: account.handle, name: table.name }, rowCount, columns, renamed };
  }

  /**
   * Makes a table without rows.
   *
   * @throws NamespaceNotFoundError, InvalidTableNameError, PrivateTableError, TableExistsError
   */
  async create(account: Account, { namespace = account.handle, ...table }: NewEmptyTable): Promise<TableName> {
    if (namespace !== account.handle) throw new NamespaceNotFoundError(account.handle);
    checkTraits(account, table);
    checkSchema(table.columns);
    const staged = await this.ingest.writeEmpty(table.columns);
    await this.parts.commit(staged, (part) => this.changes.create({ ...table, accountId: account.id, parts: [part] }));
    return { namespace, name: table.name };
  }

  /**
   * Adds rows at the end of a table, all of them or none.
   *
   * @throws TableNotFoundError, LinkedTableError, BodyTooLargeError, TableReplacedError
   */
  async insert(account: Account, name: TableName, rows: NewRows): Promise<Inserted> {
    const table = await this.tables.getOwn(account, name);
    refuseLargerBody(rows.request, MAX_INSERT_BYTES);
    this.ingest.wake();
    const staged = await this.appendRows(table, rows);
    const parts = await withoutEmpty(staged);
    if (parts.length > 0) await this.parts.commitAll(parts, (kept) => this.changes.append(table.id, kept));
    this.merger.enqueue(table);
    const [{ renamed } = {}] = staged;
    return { table, rowCount: sum(parts, 'rowCount'), sizeBytes: sum(parts, 'sizeBytes'), renamed };
  }

  /** Deletes all rows. @throws TableNotFoundError, LinkedTableError, TableReplacedError */
  async clear(account: Account, name: TableName): Promise<Table> {
    const table = await this.tables.getOwn(account, name);
    const staged = await this.ingest.writeEmpty(table.columns);
    await this.parts.commit(staged, (part) => this.changes.clear(table.id, part));
    return table;
  }

  private async appendRows({ columns }: Table, { request, format, csv }: NewRows): Promise<IngestedPart[]> {
    if (format === 'ndjson')
      return this.ingest.appendArrivingNdjson(textChunks(request, MAX_INSERT_BYTES), columns, request.signal);
    // A record of CSV can have line breaks, so that it is read once it is whole.
    const rows = await stageBody(request, this.stagingFolder, MAX_INSERT_BYTES);
    return [await this.ingest.appendCsv(rows, columns, csv, request.signal).finally(() => discard(rows))];
  }

  /**
   * Makes a part of an upload, and deletes its text at once: otherwise the disk would write it when
   * the part is synced, and the catalog would wait.
   */
  private async inferPart(account: Account, { table, csv, data, signal }: NewUpload): Promise<IngestedPart> {
    try {
      checkTraits(account, table);
      if (!data) throw new InvalidRequestError('data: must be text');
      return await this.ingest.inferCsv(data, csv, signal);
    } finally {
      if (data) await discard(data);
    }
  }
}

/** @throws InvalidTableNameError, PrivateTableError */
function checkTraits({ plan }: Account, { name, isPrivate }: TableTraits): void {
  const issue = findTableNameIssue(name);
  if (issue) throw new InvalidTableNameError(issue);
  if (isPrivate && plan !== 'premium') throw new PrivateTableError(plan);
}

async function withoutEmpty(parts: readonly IngestedPart[]): Promise<IngestedPart[]> {
  await Promise.all(parts.filter(({ rowCount }) => rowCount === 0).map(discard));
  return parts.filter(({ rowCount }) => rowCount > 0);
}

function sum(parts: readonly IngestedPart[], figure: 'rowCount' | 'sizeBytes'): number {
  return parts.reduce((total, part) => total + part[figure], 0);
}
