import { type Connection, Database } from '../../../duckdb/connection/connection.js';
import { identifier, join, quoted, raw, type Sql, sql } from '../../../duckdb/sql.js';
import { RESULT_FILE, type RunJob } from '../run-messages.js';
import { changedFilesText } from './changed-files.js';
import { canBeNamespace } from './gate/engine-names.js';
import type { PreparedTable } from './linked-texts.js';
import { rowsToSql } from './rows-to-sql.js';
import { StatementError } from './statement-error.js';

/** What the engine calls errors about the content of files. */
const MISSES = new Set(['Binder', 'Invalid Input', 'Conversion']);

/**
 * The version of the serialization of syntax trees: the own one of the engine, because older ones
 * lack syntax such as the type `ENUM('x', 'y')[]`. Nothing is stored in it.
 */
export const SERIALIZATION = { storage_compatibility_version: 'v1.5.0' } as const;

/**
 * Opens the in-memory database of a run before it is needed. Until `lockSandbox`, it gets nothing
 * of the user except the text that the statement gate parses.
 */
export async function openSandbox(): Promise<Connection> {
  const connection = await Database.openAlone({
    threads: '1',
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_unsigned_extensions: 'false',
    allow_persistent_secrets: 'false',
    // The cache serves stale footers when a path is written again at once.
    enable_external_file_cache: 'false',
    max_expression_depth: '250',
    ...SERIALIZATION,
  });
  await connection.runAll([
    sql`SET errors_as_json = true`,
    sql`SET TimeZone = 'UTC'`,
    sql`SET pivot_limit = 1000`,
    sql`SET catalog_error_max_schemas = 1`,
    sql`SET enable_progress_bar = true`,
    sql`SET enable_progress_bar_print = false`,
  ]);
  return connection;
}

/**
 * Makes the tables of a run, then closes the database to everything else: other files, the network,
 * extensions and its own settings. The order matters (`docs/security.md`, "Engine settings"):
 * access once shut cannot be changed. Paths are relative to the working directory, which must be
 * the run folder.
 */
export async function lockSandbox(
  connection: Connection,
  job: RunJob,
  tables: readonly PreparedTable[],
): Promise<void> {
  await connection.runAll([
    sql`SET threads = ${raw(String(job.threads))}`,
    sql`SET memory_limit = ${quoted(`${job.memoryBytes}B`)}`,
    sql`SET temp_directory = 'tmp'`,
    // As an option at opening it would be shown, but not enforced.
    sql`SET max_temp_directory_size = ${quoted(`${job.maxSpillBytes}B`)}`,
  ]);
  for (const table of tables) {
    for (const view of viewsOf(table)) await connection.run(view).catch((error: unknown) => explain(error, table));
  }
  await connection.runAll([
    sql`SET allowed_paths = [${[...tables.flatMap(({ files }) => files), RESULT_FILE].map(quoted)}]`,
    sql`SET enable_external_access = false`,
    sql`SET lock_configuration = true`,
  ]);
}

/**
 * The engine reads the files when it creates a view: what it misses was there when they were
 * linked.
 */
function explain(error: unknown, table: PreparedTable): never {
  const engineError = StatementError.from(error);
  if (!table.reading || !MISSES.has(engineError.type)) throw engineError;
  // Which columns the files have instead is not for those who read the table.
  const [missed] = engineError.message.split(/\s*\nCandidate bindings/);
  throw new StatementError(engineError.type, `${changedFilesText([table])} (${missed})`);
}

/**
 * The views of a table: one in the schema named after its account and, if the bare name finds it,
 * one in the main schema.
 */
function viewsOf(table: PreparedTable): Sql[] {
  const { namespace, name, isBareName } = table;
  const rows = rowsToSql(table);
  const qualified = join([identifier(namespace), identifier(name)], '.');
  return [
    ...(canBeNamespace(namespace)
      ? [sql`CREATE SCHEMA IF NOT EXISTS ${identifier(namespace)}`, sql`CREATE VIEW ${qualified} AS ${rows}`]
      : []),
    ...(isBareName ? [sql`CREATE VIEW main.${identifier(name)} AS ${rows}`] : []),
  ];
}
