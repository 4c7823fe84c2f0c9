import type { Connection } from '../../../duckdb/engine/engine.js';
import { identifier, join, quoted, sql } from '../../../duckdb/sql.js';
import type { TableColumn } from '../../table-column.js';
import type { IngestOutcome } from '../ingest-messages.js';
import { partColumnsSql } from './part-column.js';
import { writePart } from './write-part.js';

/** Writes a part that has the columns and no rows. */
export async function writeEmptyPart(
  connection: Connection,
  target: string,
  columns: readonly TableColumn[],
): Promise<IngestOutcome> {
  const none = partColumnsSql(columns, () => undefined);
  return { columns, rowCount: await writePart(connection, sql`SELECT ${none} LIMIT 0`, target) };
}

/** Writes the rows of parts, in order, as they are stored, into one part. */
export async function mergeParts(
  connection: Connection,
  sources: readonly string[],
  target: string,
  columns: readonly TableColumn[],
): Promise<IngestOutcome> {
  const names = join(
    columns.map(({ name }) => identifier(name)),
    ', ',
  );
  const parts = sql`read_parquet([${sources.map(quoted)}], hive_partitioning = false, union_by_name = false)`;
  return { columns, rowCount: await writePart(connection, sql`SELECT ${names} FROM ${parts}`, target) };
}
