import { identifier, join, quoted, type Sql, sql } from '../../../duckdb/sql.js';
import type { TableColumn } from '../../../types/table-column.js';
import type { IngestOutcome } from '../ingest-messages.js';
import type { IngestEngine } from './open-engine.js';
import { partColumnsSql } from './part-column.js';
import { writePart } from './write-part.js';

/** Writes a part that has the columns and no rows. */
export async function writeEmptyPart(
  engine: IngestEngine,
  target: string,
  columns: readonly TableColumn[],
): Promise<IngestOutcome> {
  const none = sql`SELECT ${partColumnsSql(columns, () => undefined)} LIMIT 0`;
  return { columns, rowCount: await writePart(engine, none, target, { columnCount: columns.length, rowBytes: 0 }) };
}

/** Writes the rows of parts, in order, as they are stored, into one part. */
export async function mergeParts(
  engine: IngestEngine,
  sources: readonly string[],
  target: string,
  columns: readonly TableColumn[],
): Promise<IngestOutcome> {
  const files = sql`[${sources.map(quoted)}]`;
  const names = columns.map(({ name }) => identifier(name));
  const rows = sql`SELECT ${join(names, ', ')} FROM read_parquet(${files}, hive_partitioning = false, union_by_name = false)`;
  const shape = { columnCount: columns.length, rowBytes: await findRowBytes(engine, files) };
  return { columns, rowCount: await writePart(engine, rows, target, shape) };
}

/** Average size of a row before it is compressed. */
async function findRowBytes({ connection }: IngestEngine, files: Sql): Promise<number> {
  const [[bytes, rows] = []] = await connection.rows(sql`
    SELECT (SELECT sum(total_uncompressed_size) FROM parquet_metadata(${files})),
      (SELECT sum(num_rows) FROM parquet_file_metadata(${files}))`);
  return Number(bytes) / Math.max(1, Number(rows));
}
