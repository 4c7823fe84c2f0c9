import { open } from 'node:fs/promises';
import type { Connection } from '../../../../duckdb/engine/engine.js';
import { quoted, raw, type Sql, sql } from '../../../../duckdb/sql.js';
import type { TableColumn } from '../../../table-column.js';
import { LINE_FEED } from '../../ascii.js';
import type { IngestJob, IngestOutcome } from '../../ingest-messages.js';
import type { StagedLines } from '../../staged-file.js';
import type { IngestEngine } from '../open-engine.js';
import { partColumnsSql, sourceColumnsSql } from '../part-column.js';
import { MAX_RECORD_BYTES, readPieces } from '../read-pieces.js';
import { writePart } from '../write-part.js';
import { NdjsonChecker } from './ndjson-checker.js';

type AppendNdjsonJob = Extract<IngestJob, { kind: 'append-ndjson' }>;

/** Reading in smaller pieces is no quicker. */
const MIN_OBJECT_BYTES = 2 ** 20;
/** An object may not be quite as large as it is allowed to be. */
const OBJECT_MARGIN_BYTES = 2 ** 16;
const SAMPLE_BYTES = 65_536;
/** An interrupt is lost if the statement has not begun. */
const INTERRUPT_INTERVAL_MS = 20;

/**
 * Makes a part of lines of JSON objects for a table with these columns. The engine reads the lines while they are checked, as it forgives
 * much that is wrong; what it has written counts only if both succeed.
 *
 * @throws ContentFault
 */
export async function appendNdjson(
  engine: IngestEngine,
  { source, before, target, columns }: AppendNdjsonJob,
): Promise<IngestOutcome> {
  await endLastLine(source.path);
  const checker = new NdjsonChecker(columns, before);
  const query = sql`SELECT ${partColumnsSql(columns, ({ name }) => name)} FROM ${readNdjsonSql(source, columns)}`;
  const shape = { columnCount: columns.length, rowBytes: await sampleRowBytes(source.path) };
  const writing = writePart(engine, query, target, shape);
  const checking = readPieces(source.path, checker).catch(async (fault) => {
    await stop(engine.connection, writing);
    throw fault;
  });
  const [checked, written] = await Promise.allSettled([checking, writing]);
  if (checked.status === 'rejected') throw checked.reason;
  if (written.status === 'rejected') throw written.reason;
  if (written.value !== checker.rowCount)
    throw new Error(`The engine read ${written.value} rows of ${checker.rowCount} lines`);
  return { columns, rowCount: written.value, lineCount: checker.lineCount };
}

/** The engine reads two objects of the largest size in one go: where that is much more than there are, one thread would read all. */
function readNdjsonSql({ path, maxLineBytes }: StagedLines, columns: readonly TableColumn[]): Sql {
  const options = sql`columns = ${sourceColumnsSql(columns)}, auto_detect = false`;
  const maxObjectBytes = Math.max(MIN_OBJECT_BYTES, Math.min(maxLineBytes, MAX_RECORD_BYTES) + OBJECT_MARGIN_BYTES);
  return sql`read_ndjson(${quoted(path)}, ${options}, maximum_object_size = ${raw(String(maxObjectBytes))})`;
}

async function stop(connection: Connection, running: Promise<unknown>): Promise<void> {
  const timer = setInterval(() => connection.interrupt(), INTERRUPT_INTERVAL_MS);
  connection.interrupt();
  await running.catch(() => {});
  clearInterval(timer);
}

/** The engine misreads a last line without a line feed when its lines are long. */
async function endLastLine(path: string): Promise<void> {
  const file = await open(path, 'a+');
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    if (bytesRead === 1 && buffer[0] !== LINE_FEED) await file.write('\n');
  } finally {
    await file.close();
  }
}

/** About how many bytes a line has. */
async function sampleRowBytes(path: string): Promise<number> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES);
    const lines = buffer.subarray(0, bytesRead).toString('latin1').split('\n').length;
    return bytesRead / lines;
  } finally {
    await file.close();
  }
}
