import { appendFile } from 'node:fs/promises';
import { quoted, type Sql, sql } from '../../../../duckdb/sql.js';
import type { TableColumn } from '../../../../types/table-column.js';
import type { IngestOutcome, JobOf } from '../../ingest-messages.js';
import type { IngestEngine } from '../open-engine.js';
import { maxObjectSize, partColumnsSql, sourceColumnsSql } from '../part-column.js';
import { readBlocks } from '../read-blocks.js';
import { writePart } from '../write-part.js';
import { NdjsonChecker } from './ndjson-checker.js';

/**
 * Makes a part of lines of JSON objects for a table with these columns. The lines are checked
 * before the engine reads them: it accepts much that is wrong, and nested values could overflow its
 * stack.
 *
 * @throws ContentError
 */
export async function appendNdjson(
  engine: IngestEngine,
  { source, target, columns, before }: JobOf<'append-ndjson'>,
): Promise<IngestOutcome> {
  const checker = new NdjsonChecker(columns, before);
  const sizeBytes = await readBlocks(source, checker);
  // The engine misreads a long last line without a line feed.
  if (!checker.isEnded) await appendFile(source, '\n');
  const { rowCount, lineCount, longestLineBytes, hasNegativeZero } = checker;
  const rows = readNdjsonSql(source, columns, longestLineBytes);
  const query = sql`SELECT ${partColumnsSql(columns, ({ name }) => name)} FROM ${rows}`;
  const rowBytes = sizeBytes / Math.max(1, rowCount);
  const readCount = await writePart(engine, { query, target, columns, rowBytes, hasNegativeZero });
  if (readCount !== rowCount) throw new Error(`The engine read ${readCount} rows of ${rowCount} lines`);
  return { columns, rowCount, lineCount };
}

function readNdjsonSql(path: string, columns: readonly TableColumn[], longestLineBytes: number): Sql {
  const options = sql`columns = ${sourceColumnsSql(columns)}, auto_detect = false`;
  return sql`read_ndjson(${quoted(path)}, ${options}, ${maxObjectSize(longestLineBytes)})`;
}
