import { identifier, join, quoted, type Sql, sql } from '../../../duckdb/sql.js';
import type { TableColumn } from '../../../types/table-column.js';
import type { IngestOutcome, JobOf } from '../ingest-messages.js';
import type { IngestEngine } from './open-engine.js';
import { partColumnsSql } from './part-column.js';
import { writePart } from './write-part.js';

/** Writes a part that has the columns and no rows. */
export async function writeEmptyPart(
  engine: IngestEngine,
  { target, columns }: JobOf<'empty'>,
): Promise<IngestOutcome> {
  const none = sql`SELECT ${partColumnsSql(columns, () => undefined)} LIMIT 0`;
  return {
    columns,
    rowCount: await writePart(engine, { query: none, target, columns, rowBytes: 0, hasNegativeZero: false }),
  };
}

/** Writes the rows of parts, in order, as they are stored, into one part. */
export async function mergeParts(
  engine: IngestEngine,
  { sources, target, columns }: JobOf<'merge'>,
): Promise<IngestOutcome> {
  const files = sql`[${sources.map(quoted)}]`;
  const names = columns.map(({ name }) => identifier(name));
  const rows = sql`SELECT ${join(names, ', ')} FROM read_parquet(${files}, hive_partitioning = false, union_by_name = false)`;
  const part = {
    query: rows,
    target,
    columns,
    rowBytes: await findRowBytes(engine, files),
    hasNegativeZero: await hasNegativeZero(engine, columns, files),
  };
  return { columns, rowCount: await writePart(engine, part) };
}

/** Average size of a row before it is compressed. */
async function findRowBytes({ connection }: IngestEngine, files: Sql): Promise<number> {
  const [[bytes, rows] = []] = await connection.rows(sql`
    SELECT (SELECT sum(total_uncompressed_size) FROM parquet_metadata(${files})),
      (SELECT sum(num_rows) FROM parquet_file_metadata(${files}))`);
  return Number(bytes) / Math.max(1, Number(rows));
}

async function hasNegativeZero(
  { connection }: IngestEngine,
  columns: readonly TableColumn[],
  files: Sql,
): Promise<boolean> {
  const doubles = columns.filter(({ type }) => type.kind === 'scalar' && type.name === 'DOUBLE');
  if (doubles.length === 0) return false;
  const zeros = doubles.map(({ name }) => sql`(${identifier(name)} = 0 AND signbit(${identifier(name)}))`);
  const [[found] = []] = await connection.rows(
    sql`SELECT coalesce(bool_or(${join(zeros, ' OR ')}), false) FROM read_parquet(${files}, hive_partitioning = false)`,
  );
  return found === true;
}
