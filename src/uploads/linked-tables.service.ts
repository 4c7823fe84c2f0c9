import { resolve } from 'node:path';
import type { Account } from '../auth/account.js';
import type { Config } from '../config/config.js';
import { LinkRoots } from '../storage/linked/link-bounds.js';
import { LinkRefusedError } from '../storage/linked/linked.errors.js';
import { findLinkedFiles, type LinkedFiles, partitionNames } from '../storage/linked/linked-files.js';
import type { LinkedText, LinkOptions } from '../storage/linked/linked-text.js';
import type { TableColumn } from '../types/table-column.js';
import type { Table } from './table.js';
import type { TableChangesRepository } from './table-changes.repository.js';
import { findTableNameIssue } from './table-name.js';
import type { TablesRepository } from './tables.repository.js';
import { InvalidTableNameError, NotLinkedError, PrivateTableError, TableNotFoundError } from './uploads.errors.js';

/** A table to be linked. */
export interface NewLink {
  readonly name: string;
  /** Path of a file or a folder, or a glob. */
  readonly pattern: string;
  readonly isPrivate: boolean;
  /** How the files are read, where that is not found from them. */
  readonly options?: LinkOptions;
}

/** What linked files hold. */
export interface LinkedContent {
  readonly columns: readonly TableColumn[];
  /** Only of text files. */
  readonly text?: LinkedText;
}

/** Makes tables of files on the disk of the server, for the operator: no HTTP call does. */
export class LinkedTablesService {
  /** @param describe finds what files hold. */
  constructor(
    private readonly config: Pick<Config, 'LINK_ROOTS' | 'DATA_DIR'>,
    private readonly tables: TablesRepository,
    private readonly changes: TableChangesRepository,
    private readonly describe: (files: LinkedFiles, options: LinkOptions) => Promise<LinkedContent>,
  ) {}

  /**
   * Makes files a read-only table. Files that match the pattern later belong to it, too.
   *
   * @throws InvalidTableNameError, PrivateTableError, LinkRefusedError, TableExistsError
   */
  async link(account: Account, { name, pattern, isPrivate, options = {} }: NewLink): Promise<LinkedFiles> {
    const issue = findTableNameIssue(name);
    if (issue) throw new InvalidTableNameError(issue);
    if (isPrivate && account.plan !== 'premium') throw new PrivateTableError(account.plan);
    const path = resolve(pattern);
    const found = await findLinkedFiles(path, await new LinkRoots(this.config).findBounds());
    refuseOptions(found, options);
    const { columns, text } = await this.describe(found, options);
    const source = { format: found.format, pattern: path, partitions: partitionNames(found), text };
    await this.changes.create({ accountId: account.id, name, description: '', isPrivate, columns, parts: [], source });
    return found;
  }

  /** Deletes the table; its files stay as they are. @throws TableNotFoundError, NotLinkedError */
  async unlink(account: Account, name: string): Promise<Table> {
    const table = await this.tables.find({ namespace: account.handle, name });
    if (!table) throw new TableNotFoundError();
    if (!table.source) throw new NotLinkedError(name);
    await this.changes.delete(table.id);
    return table;
  }
}

/** @throws LinkRefusedError if an option is not for files of this format. */
function refuseOptions({ format }: LinkedFiles, options: LinkOptions): void {
  const isGiven = (name: keyof LinkOptions) => options[name] !== undefined;
  if (format !== 'csv' && (isGiven('delimiter') || isGiven('hasHeader')))
    throw new LinkRefusedError('--delimiter and --header are for CSV files');
  if (format === 'parquet' && (isGiven('isAllText') || isGiven('columns')))
    throw new LinkRefusedError('--all-text and --column are for CSV and NDJSON files, Parquet files have types');
}
