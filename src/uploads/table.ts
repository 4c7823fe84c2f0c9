import type { AccountType } from '../auth/account.js';
import type { AccountId } from '../catalog/ids.js';
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
  /** Columns in the names of folders; absent in links of an earlier version. */
  readonly partitions?: readonly string[];
  /** How CSV and NDJSON are read; absent in links of an earlier version, which must be renewed. */
  readonly text?: LinkedText;
}

/** A table as it is now. Its parts are replaced, never altered: a run keeps those it began with. */
export interface Table {
  /** ULID. An overwrite makes a new table: changes of the old one cannot affect it. */
  readonly id: string;
  readonly accountId: AccountId;
  /** Handle of the account. */
  readonly namespace: string;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly columns: readonly TableColumn[];
  /** In the order of their rows. At least one, which has the columns; none of a linked table. */
  readonly parts: readonly TablePart[];
  /** Only of a linked table. */
  readonly source?: LinkedSource;
}

/** A table to be created. */
export interface NewTable {
  readonly accountId: AccountId;
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

/** A name as answers and messages write it; SQL may need quotes: see {@link toSqlName}. */
export function toFullName({ namespace, name }: TableName): string {
  return `${namespace}.${name}`;
}

/** A name as SQL can write it, with the handle in quotes if it needs them. */
export function toSqlName({ namespace, name }: TableName): string {
  return `${needsQuotes(namespace) ? `"${namespace}"` : namespace}.${name}`;
}
