import type { Connection, ResultColumn } from '../../../duckdb/connection/connection.js';
import { identifier, type Sql, sql } from '../../../duckdb/sql.js';
import type { LinkedFile, LinkedFiles } from '../../../storage/linked/linked-files.js';
import type { LinkOptions } from '../../../storage/linked/linked-text.js';
import type { IngestOutcome } from '../ingest-messages.js';
import { unreadableFiles } from './content-error.js';
import { engineReason, isOutOfMemory } from './linked/engine-reason.js';
import { LinkedFileError } from './linked/linked-file-error.js';
import { partitionColumns } from './linked/partition-columns.js';
import { filePathSql, hiveOptions } from './linked/text-rows-to-sql.js';

/** Columns that are read at the same time: each takes memory. */
const COLUMNS_AT_ONCE = 100;

/**
 * Finds the columns of Parquet files and counts their rows. Every value is read, so that no file is
 * linked that queries could not read.
 *
 * @throws LinkedFileError, ContentError
 */
export async function describeParquet(
  connection: Connection,
  found: LinkedFiles,
  options: LinkOptions,
): Promise<IngestOutcome> {
  const partitions = partitionColumns(found, options);
  let rowCount = 0;
  for (const file of found.files) rowCount += await readAll(connection, file);
  const paths = found.files.map(({ path }) => filePathSql(path));
  const together = sql`read_parquet([${paths}], union_by_name = true, ${hiveOptions(partitions)})`;
  const columns = await connection.describe(sql`SELECT * FROM ${together} LIMIT 0`).catch((error: unknown) => {
    throw unreadableFiles(`The files cannot be read together: ${engineReason(error, found.files)}`);
  });
  await refuseNul(connection, together);
  const inNames = new Set(partitions.map(({ name }) => name.toLowerCase()));
  const own = columns.filter(({ name }) => !inNames.has(name.toLowerCase()));
  return { columns: [...own.map(({ name, type }) => ({ name, type, nullable: true })), ...partitions], rowCount };
}

/** Reads all values of a file, a few columns after the other; returns the number of rows. */
async function readAll(connection: Connection, file: LinkedFile): Promise<number> {
  const source = sql`read_parquet([${filePathSql(file.path)}], hive_partitioning = false)`;
  try {
    const columns = await connection.describe(sql`SELECT * FROM ${source} LIMIT 0`);
    for (let from = 0; from < columns.length; from += COLUMNS_AT_ONCE)
      await connection.rows(sql`SELECT ${columns.slice(from, from + COLUMNS_AT_ONCE).map(toDigest)} FROM ${source}`);
    const [[count] = []] = await connection.rows(sql`SELECT count(*) FROM ${source}`);
    return Number(count);
  } catch (error) {
    if (isOutOfMemory(error)) throw error;
    throw new LinkedFileError(file.relativePath, engineReason(error, [file]));
  }
}

/** Takes every value apart: to count values, the engine need not look at them. */
function toDigest({ name }: ResultColumn): Sql {
  return sql`bit_xor(hash(${identifier(name)}))`;
}

/** The engine finds such a name in files, but would not find it again when it reads by names. */
async function refuseNul(connection: Connection, source: Sql): Promise<void> {
  const names = await connection.rows(sql`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${source})`);
  if (names.flat().some((name) => typeof name === 'string' && name.includes('\0')))
    throw unreadableFiles('The files cannot be read: the name of a column holds the character NUL');
}
