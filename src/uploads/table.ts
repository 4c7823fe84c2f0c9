import type { AccountType } from '../auth/account.js';
import type { LinkedFormat } from '../storage/linked/linked-format.js';
import type { LinkedText } from '../storage/linked/linked-text.js';
import { needsQuotes } from '../types/schema-name.js';
import type { TableColumn } from '../types/table-column.js';

/** A file that holds some of a table's rows; it never changes. */
export interface TablePart {
  /** Name of the blob. */
  readonly blob: string;
  readonly rowCount: number;
  readonly sizeBytes: number;
}

/** Files of the operator that a linked table stands for. */
export interface LinkedSource {
  readonly format: LinkedFormat;
  /** Absolute path of a file or a folder, or a glob of such paths. */
  readonly pattern: string;
  /** Names of the columns that stand in the names of folders; absent in links that were made before they were kept. */
  readonly partitions?: readonly string[];
  /** How CSV and NDJSON are read; absent in links of an earlier version, which have to be made again. */
  readonly text?: LinkedText;
}

/** An account's table as it stands now. Its parts are never altered, only replaced, so that a run keeps those that it began with. */
export interface Table {
  /**
   * ULID. An overwrite replaces the table by another of the same name, with an id of its own: what was meant for the old rows cannot land
   * among the new ones.
   */
  readonly id: string;
  readonly accountId: string;
  /** Handle of the account. */
  readonly namespace: string;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly columns: readonly TableColumn[];
  /** In the order of their rows. At least one, so that the columns can be read; none if the table is linked. */
  readonly parts: readonly TablePart[];
  /** Only of a linked table. */
  readonly source?: LinkedSource;
}

/** A table to be kept. */
export interface NewTable {
  readonly accountId: string;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly columns: readonly TableColumn[];
  readonly parts: readonly TablePart[];
  readonly source?: LinkedSource;
}

/** A table in a list. */
export interface ListedTable extends Omit<Table, 'parts'> {
  readonly ownerType: AccountType;
  readonly rowCount: number;
  readonly sizeBytes: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A table's full name. */
export interface TableName {
  readonly namespace: string;
  readonly name: string;
}

/** A name as answers and messages write it, and SQL too unless the handle is one of its words: see {@link toSqlName}. */
export function toFullName({ namespace, name }: TableName): string {
  return `${namespace}.${name}`;
}

/** A name as SQL can write it: with the handle in quotes where it needs them. */
export function toSqlName({ namespace, name }: TableName): string {
  return `${needsQuotes(namespace) ? `"${namespace}"` : namespace}.${name}`;
}
