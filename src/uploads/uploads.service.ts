import { Injectable } from '@nestjs/common';
import type { Account } from '../auth/account.js';
import { Config } from '../config/config.js';
import { faultPoint } from '../config/fault-point.js';
import { formatSize } from '../config/units.js';
import { BodyTooLargeError, InvalidRequestError } from '../http/common.errors.js';
import type { CsvOptions, RenamedColumn } from '../processes/ingest/csv-options.js';
import { Ingest } from '../processes/ingest/ingest.js';
import { stagingFolder } from '../processes/ingest/open-ingest.js';
import { stageUploadBody } from '../processes/ingest/stage-upload-body.js';
import type { IngestedPart, StagedUpload } from '../processes/ingest/staged-file.js';
import { discard, stageBody, textChunks } from '../processes/ingest/staging.js';
import type { TableColumn } from '../types/table-column.js';
import { checkSchema } from './check-schema.js';
import { checkUploadQuery, refuseCsvFields, toInsertOptions, toUploadWish } from './dto/upload-csv.dto.js';
import { rowFormatOf } from './row-format.js';
import type { Table, TableName } from './table.js';
import { TableChangesRepository } from './table-changes.repository.js';
import { TableMerger } from './table-merger.js';
import { findTableNameProblem } from './table-name.js';
import { TablePartsService } from './table-parts.service.js';
import type { TableTraits, TableWish, UploadWish } from './table-wish.js';
import { TablesService } from './tables.service.js';
import type { UploadRequest } from './upload-request.decorator.js';
import { InvalidTableNameError, NamespaceNotFoundError, PrivateTableError } from './uploads.errors.js';

/** What became of an upload. */
export interface Uploaded {
  readonly table: TableName;
  readonly rowCount: number;
  readonly columns: readonly TableColumn[];
  readonly renamed?: readonly RenamedColumn[];
}

/** What became of an insert. */
export interface Inserted {
  readonly table: TableName;
  readonly rowCount: number;
  readonly sizeBytes: number;
  readonly renamed?: readonly RenamedColumn[];
}

/** Largest CSV upload and largest insert (`interface.md`, section 6). */
const MAX_UPLOAD_BYTES = 200_000_000;
const MAX_INSERT_BYTES = 1_200_000_000;

/** Takes data in: makes tables, and changes their rows. What fails changes nothing and leaves nothing behind. */
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

  /** Makes a table of a CSV text, in the place of the one of that name. */
  async upload(account: Account, request: UploadRequest): Promise<Uploaded> {
    await checkUploadQuery(request.query);
    refuseTooLarge(request, MAX_UPLOAD_BYTES);
    this.ingest.wake();
    const text = await stageUploadBody(request, this.stagingFolder, MAX_UPLOAD_BYTES);
    faultPoint('upload-staged');
    const { wish, staged } = await this.makePart(account, text, request.signal);
    const { rowCount, columns, renamed } = staged;
    const table = { ...wish.table, accountId: account.id, columns };
    await this.parts.keep(staged, (part) => this.changes.replace({ ...table, parts: [part] }));
    return { table: { namespace: account.handle, name: table.name }, rowCount, columns, renamed };
  }

  /**
   * Makes a table without rows.
   *
   * @throws NamespaceNotFoundError, InvalidTableNameError, PrivateTableError, TableExistsError
   */
  async create(account: Account, { namespace = account.handle, ...wish }: TableWish): Promise<TableName> {
    if (namespace !== account.handle) throw new NamespaceNotFoundError(account.handle);
    checkTraits(account, wish);
    checkSchema(wish.columns);
    const staged = await this.ingest.writeEmpty(wish.columns);
    await this.parts.keep(staged, (part) => this.changes.create({ ...wish, accountId: account.id, parts: [part] }));
    return { namespace, name: wish.name };
  }

  /**
   * Adds rows at the end of a table, all of them or none.
   *
   * @throws TableNotFoundError, LinkedTableError, InsertFormatError, TableReplacedError
   */
  async insert(account: Account, name: TableName, request: UploadRequest): Promise<Inserted> {
    const table = await this.tables.getOwn(account, name);
    const options = await toInsertOptions(request.query);
    const format = rowFormatOf(request.contentType, options.format);
    refuseTooLarge(request, MAX_INSERT_BYTES);
    this.ingest.wake();
    const staged = await (format === 'csv'
      ? this.appendCsv(table, request, options.csv)
      : this.appendNdjson(table, request));
    const parts = await withoutEmpty(staged);
    if (parts.length > 0) await this.parts.keepAll(parts, (kept) => this.changes.append(table.id, kept));
    this.merger.offer(table);
    const [{ renamed } = {}] = staged;
    return { table, rowCount: sum(parts, 'rowCount'), sizeBytes: sum(parts, 'sizeBytes'), renamed };
  }

  /** Takes all rows out of a table. @throws TableNotFoundError, LinkedTableError, TableReplacedError */
  async clear(account: Account, name: TableName): Promise<Table> {
    const table = await this.tables.getOwn(account, name);
    const staged = await this.ingest.writeEmpty(table.columns);
    await this.parts.keep(staged, (part) => this.changes.clear(table.id, part));
    return table;
  }

  /** A record of CSV can be anywhere in the text, so that it is read once it is whole. */
  private async appendCsv({ columns }: Table, request: UploadRequest, options: CsvOptions): Promise<IngestedPart[]> {
    const rows = await stageBody(request, this.stagingFolder, MAX_INSERT_BYTES);
    return [await this.ingest.appendCsv(rows, columns, options, request.signal).finally(() => discard(rows))];
  }

  private async appendNdjson({ columns }: Table, request: UploadRequest): Promise<IngestedPart[]> {
    refuseCsvFields(request.query);
    return this.ingest.appendArrivingNdjson(textChunks(request, MAX_INSERT_BYTES), columns, request.signal);
  }

  /**
   * Makes a part of an upload. Its text is deleted as soon as that is done: the disk would else write it down when the part is synced, and
   * hold up the catalog meanwhile.
   */
  private async makePart(
    account: Account,
    { fields, data }: StagedUpload,
    signal: AbortSignal,
  ): Promise<{ wish: UploadWish; staged: IngestedPart }> {
    try {
      const wish = await toUploadWish(fields);
      checkTraits(account, wish.table);
      if (!data) throw new InvalidRequestError('data: must be text');
      return { wish, staged: await this.ingest.inferCsv(data, wish.csv, signal) };
    } finally {
      if (data) await discard(data);
    }
  }
}

/** A body that tells its size is refused before any of it is read. @throws BodyTooLargeError */
function refuseTooLarge({ sizeBytes = 0 }: UploadRequest, limitBytes: number): void {
  if (sizeBytes > limitBytes) throw new BodyTooLargeError(formatSize(limitBytes));
}

/** @throws InvalidTableNameError, PrivateTableError */
function checkTraits({ plan }: Account, { name, isPrivate }: TableTraits): void {
  const problem = findTableNameProblem(name);
  if (problem) throw new InvalidTableNameError(problem);
  if (isPrivate && plan !== 'premium') throw new PrivateTableError(plan);
}

async function withoutEmpty(parts: readonly IngestedPart[]): Promise<IngestedPart[]> {
  await Promise.all(parts.filter(({ rowCount }) => rowCount === 0).map(discard));
  return parts.filter(({ rowCount }) => rowCount > 0);
}

function sum(parts: readonly IngestedPart[], figure: 'rowCount' | 'sizeBytes'): number {
  return parts.reduce((total, part) => total + part[figure], 0);
}
