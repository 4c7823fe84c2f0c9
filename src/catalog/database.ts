import type { ColumnType, Generated, Insertable, Selectable } from 'kysely';
import type { AccountId, ExecutionId, QueryId } from './ids.js';

/** An instant as ISO 8601 UTC text with milliseconds: text order is time order. See `toInstant`. */
export type Instant = string;

/** A boolean, alike in every SQL database. See `toFlag`. */
export type Flag = 0 | 1;

/** A whole number beyond 32 bits, which some databases return as text. See `fromCount`. */
export type Count = ColumnType<number | string, number, number>;

/** Values kept as JSON text; the repository that writes the column has its shape. */
export type JsonText = string;

/** The tables of the catalog, with the names of SQL; repositories turn rows into value types. */
export interface Database {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  queries: QueriesTable;
  query_versions: QueryVersionsTable;
  executions: ExecutionsTable;
  tables: TablesTable;
  table_parts: TablePartsTable;
  removed_parts: RemovedPartsTable;
  first_starts: FirstStartsTable;
  orphans: OrphansTable;
}

/** Users and teams. */
export interface AccountsTable {
  id: AccountId;
  handle: string;
  type: 'user' | 'team';
  plan: 'free' | 'plus' | 'premium';
  created_at: Instant;
  /** Sum of the `result_bytes` of its executions whose result is stored. */
  result_bytes: ColumnType<number | string, number | undefined, number | string>;
}

/** API keys; the key itself is never stored. */
export interface ApiKeysTable {
  /** ULID. */
  id: string;
  account_id: AccountId;
  name: string;
  scope: 'read' | 'read_write' | 'admin';
  /** SHA-256 of the key, in hex. */
  hash: string;
  /** First characters of the key, to distinguish keys in a list. */
  prefix: string;
  created_at: Instant;
  expires_at: Instant | null;
  revoked_at: Instant | null;
  last_used_at: Instant | null;
  /** Whether it is, or was, the key of BOOTSTRAP_API_KEY. */
  is_bootstrap: Generated<Flag>;
  /** What the executions started with the key have as their trigger; null for `api`. */
  trigger: StoredTrigger | null;
}

/** Saved queries; their text stands in `query_versions`. */
export interface QueriesTable {
  id: Generated<QueryId>;
  account_id: AccountId;
  name: string;
  description: string;
  is_private: Flag;
  is_archived: Flag;
  /** Array of strings. */
  tags: JsonText;
  /** The version that is run now. */
  version: number;
  created_at: Instant;
  updated_at: Instant;
  /** Name, description and tags as `toSearchText` writes them. */
  search_text: string;
}

/** Every text that a saved query ever had. */
export interface QueryVersionsTable {
  query_id: QueryId;
  version: number;
  sql: string;
  /** Array of declared parameters. */
  parameters: JsonText;
  created_at: Instant;
}

/** Where an execution stands (`docs/contract.md`, "States"), without the prefix of the wire. */
export type StoredExecutionState =
  | 'PENDING'
  | 'EXECUTING'
  | 'COMPLETED'
  | 'COMPLETED_PARTIAL'
  | 'FAILED'
  | 'CANCELLED'
  | 'EXPIRED';

/** Where an execution was started from. */
export type StoredTrigger = 'console' | 'api' | 'schedule' | 'cli';

/** Runs of saved queries and of SQL sent directly. */
export interface ExecutionsTable {
  id: ExecutionId;
  /** Null for SQL sent directly. */
  query_id: QueryId | null;
  query_version: number | null;
  /** Who ran it. */
  account_id: AccountId;
  /** The text that is run, parameters put in. */
  sql: string;
  /** Object of parameter name to value. */
  parameters: JsonText;
  /** Array of where values stand in `sql`, and what they replaced; null where there are none. */
  replacements: JsonText | null;
  /** The same values in canonical form: equal values have equal keys. */
  parameters_key: string;
  performance: 'medium' | 'large';
  state: StoredExecutionState;
  /** How often a process has begun it. */
  attempt: number;
  /** Known once it has completed. */
  read_private_table: Flag;
  submitted_at: Instant;
  execution_started_at: Instant | null;
  execution_ended_at: Instant | null;
  cancelled_at: Instant | null;
  expires_at: Instant;
  /** Why it failed: type, message, position. */
  error: JsonText | null;
  /** Columns, counts and sizes of the result. */
  result: JsonText | null;
  /** Name of the result's blob; null when there is none or it is swept. */
  result_file: string | null;
  /** Size of that blob, also after it is swept; null for an execution that stored nothing. */
  result_bytes: ColumnType<number | string | null, number | null | undefined, number | null | undefined>;
  trigger: StoredTrigger;
  /** Name of the API key, or the account's handle if a command of the program started it. */
  submitted_by: string;
}

/** Uploaded tables. */
export interface TablesTable {
  /** ULID. */
  id: string;
  account_id: AccountId;
  name: string;
  description: string;
  is_private: Flag;
  /** Counts the changes of its rows. */
  version: number;
  /** Array of columns with their types. */
  columns: JsonText;
  /** Files that a linked table stands for; null for a table that has parts. */
  source: JsonText | null;
  created_at: Instant;
  updated_at: Instant;
  /** Full name and description as `toSearchText` writes them. */
  search_text: string;
}

/** The blobs of the current rows of tables, in the order of version and position. */
export interface TablePartsTable {
  table_id: string;
  /** The version of the table that brought the part. */
  version: number;
  /** Place among the parts of that version, from 0. */
  position: number;
  blob: string;
  row_count: Count;
  size_bytes: Count;
}

/** Blobs that no table holds any more, until they are swept: a new run may still open them. */
export interface RemovedPartsTable {
  blob: string;
  removed_at: Instant;
}

/** The folders of blobs in the data folder. */
export type StoreName = 'results' | 'tables';

/** Blobs that no row of the catalog refers to, until they are swept. */
export interface OrphansTable {
  store: StoreName;
  blob: string;
  found_at: Instant;
}

/** What a new data folder is given; nothing for one that began with an account made by hand. */
export interface FirstStartsTable {
  /** The account that it makes. */
  handle: string;
  begun_at: Instant;
  /** Null until all of it is made, and shown to the operator. */
  ended_at: Instant | null;
}

/** A row as read from a table of the catalog. */
export type Row<T extends keyof Database> = Selectable<Database[T]>;

/** A row to write to a table of the catalog. */
export type NewRow<T extends keyof Database> = Insertable<Database[T]>;
