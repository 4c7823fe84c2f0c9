import { open } from 'node:fs/promises';
import type { Connection } from '../../../../duckdb/connection/connection.js';
import { quoted, raw, type Sql, sql } from '../../../../duckdb/sql.js';
import type { TableColumn } from '../../../../types/table-column.js';
import { LINE_FEED } from '../../ascii.js';
import type { IngestJob, IngestOutcome, LinesJob } from '../../ingest-messages.js';
import { SHORT_LINE_BYTES } from '../../short-lines.js';
import type { StagedLines, TextPlace } from '../../staged-file.js';
import type { IngestEngine } from '../open-engine.js';
import { partColumnsSql, sourceColumnsSql } from '../part-column.js';
import { MAX_RECORD_BYTES, readPieces } from '../read-pieces.js';
import { planWork, type WorkPlan } from '../work-plan.js';
import { copyToPart, setThreads } from '../write-part.js';
import { mayHaveDeepLines } from './deep-lines.js';
import { NdjsonChecker } from './ndjson-checker.js';

type AppendNdjsonJob = Extract<IngestJob, { kind: 'append-ndjson' }>;

/** Reading in smaller pieces is no quicker. */
const MIN_OBJECT_BYTES = 2 ** 20;
/** An object may not be quite as large as it is allowed to be. */
const OBJECT_MARGIN_BYTES = 2 ** 16;
const SAMPLE_BYTES = 65_536;
/** An interrupt is lost if the statement has not begun. */
const INTERRUPT_INTERVAL_MS = 20;

/** A piece that is about to be written. */
interface PieceWrite {
  readonly query: Sql;
  readonly target: string;
  readonly plan: WorkPlan;
}

/**
 * Makes parts of pieces of a text: lines of JSON objects for a table with these columns. The engine reads the lines while they are checked,
 * as it forgives much that is wrong; what it has written counts only if both succeed. If a line could be nested too deeply for the
 * engine, the check runs first: it refuses every nested value.
 *
 * @throws ContentFault
 */
export async function appendNdjson(
  engine: IngestEngine,
  { pieces, before, columns }: AppendNdjsonJob,
): Promise<IngestOutcome[]> {
  const writes = await Promise.all(pieces.map((piece) => planPiece(engine, piece, columns)));
  const connections = await Promise.all(writes.map(() => engine.connect()));
  try {
    const checkedBefore = (await mayBeDeep(pieces)) ? await checkAll(pieces, columns, before) : undefined;
    const writing = writeAll(writes, connections);
    const checking = Promise.resolve(checkedBefore ?? checkAll(pieces, columns, before)).catch(async (fault) => {
      await stop(connections, writing);
      throw fault;
    });
    const [checked, written] = await Promise.allSettled([checking, writing]);
    if (checked.status === 'rejected') throw checked.reason;
    if (written.status === 'rejected') throw written.reason;
    return checked.value.map(({ rowCount, lineCount }, index) => {
      if (written.value[index] !== rowCount)
        throw new Error(`The engine read ${written.value[index]} rows of ${rowCount} lines`);
      return { columns, rowCount, lineCount };
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function mayBeDeep(pieces: readonly LinesJob[]): Promise<boolean> {
  for (const { source } of pieces)
    if (source.maxLineBytes > SHORT_LINE_BYTES && (await mayHaveDeepLines(source.path))) return true;
  return false;
}

async function planPiece(
  engine: IngestEngine,
  { source, target }: LinesJob,
  columns: readonly TableColumn[],
): Promise<PieceWrite> {
  await endLastLine(source.path);
  const query = sql`SELECT ${partColumnsSql(columns, ({ name }) => name)} FROM ${readNdjsonSql(source, columns)}`;
  const shape = { columnCount: columns.length, rowBytes: await sampleRowBytes(source.path) };
  return { query, target, plan: planWork(engine.budget, shape) };
}

/** Checks the pieces one after the other, so that what is told is the first fault of all. */
async function checkAll(
  pieces: readonly LinesJob[],
  columns: readonly TableColumn[],
  before: TextPlace,
): Promise<NdjsonChecker[]> {
  const checkers: NdjsonChecker[] = [];
  let place = before;
  for (const { source } of pieces) {
    const checker = new NdjsonChecker(columns, place);
    await readPieces(source.path, checker);
    place = { lines: place.lines + checker.lineCount, rows: place.rows + checker.rowCount };
    checkers.push(checker);
  }
  return checkers;
}

/**
 * Writes pieces, all at the same time if there is a thread for each: rows that several threads write have to be brought into their order,
 * which is a sixth of the work.
 *
 * @returns the number of rows of each.
 */
async function writeAll(writes: readonly PieceWrite[], connections: readonly Connection[]): Promise<number[]> {
  const threads = Math.min(...writes.map(({ plan }) => plan.threads));
  const isAtOnce = writes.length <= threads;
  // Whoever waits for a statement works on it too, and the engine counts one of them as a thread.
  await setThreads(connections[0] as Connection, isAtOnce ? threads - writes.length + 1 : threads);
  let previous: Promise<unknown> = Promise.resolve();
  const writing = writes.map(({ query, target, plan }, index) => {
    const write = () => copyToPart(connections[index] as Connection, query, target, plan);
    const written = isAtOnce ? write() : previous.then(write);
    previous = written;
    return written;
  });
  await Promise.allSettled(writing);
  return Promise.all(writing);
}

/** The engine reads two objects of the largest size in one go: where that is much more than there are, one thread would read all. */
function readNdjsonSql({ path, maxLineBytes }: StagedLines, columns: readonly TableColumn[]): Sql {
  const options = sql`columns = ${sourceColumnsSql(columns)}, auto_detect = false`;
  const maxObjectBytes = Math.max(MIN_OBJECT_BYTES, Math.min(maxLineBytes, MAX_RECORD_BYTES) + OBJECT_MARGIN_BYTES);
  return sql`read_ndjson(${quoted(path)}, ${options}, maximum_object_size = ${raw(String(maxObjectBytes))})`;
}

async function stop(connections: readonly Connection[], running: Promise<unknown>): Promise<void> {
  const interrupt = () => {
    for (const connection of connections) connection.interrupt();
  };
  const timer = setInterval(interrupt, INTERRUPT_INTERVAL_MS);
  interrupt();
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
