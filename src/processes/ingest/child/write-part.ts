import type { Connection } from '../../../duckdb/connection/connection.js';
import { quoted, raw, type Sql, sql } from '../../../duckdb/sql.js';
import type { IngestEngine } from './open-engine.js';
import { planWork, type RowShape, type WorkPlan } from './work-plan.js';

/** See `docs/decisions/0006-snappy-parquet.md`. */
const FORMAT = 'FORMAT parquet, PARQUET_VERSION V2, COMPRESSION snappy';
/** Most different values of which a dictionary is made, as a share of the rows of a group: the search for more takes longer than it saves. */
const DICTIONARY_SHARE = 1 / 10;

/** Writes the rows of a query, in their order, to a Parquet file; returns their number. */
export async function writePart(engine: IngestEngine, query: Sql, target: string, shape: RowShape): Promise<number> {
  const plan = planWork(engine.budget, shape);
  await setThreads(engine.connection, plan.threads);
  return copyToPart(engine.connection, query, target, plan);
}

/** Threads of the engine beside those that ask for statements, one of which counts. */
export async function setThreads(connection: Connection, threads: number): Promise<void> {
  await connection.run(raw(`SET threads = ${threads}`));
}

/** {@link writePart} with as many threads as the engine has. */
export async function copyToPart(
  connection: Connection,
  query: Sql,
  target: string,
  { rowGroupRows, dictionaryBytes }: WorkPlan,
): Promise<number> {
  const dictionarySize = Math.ceil(rowGroupRows * DICTIONARY_SHARE);
  const options =
    `${FORMAT}, ROW_GROUP_SIZE ${rowGroupRows}, DICTIONARY_SIZE_LIMIT ${dictionarySize}, ` +
    `STRING_DICTIONARY_PAGE_SIZE_LIMIT ${dictionaryBytes}, USE_TMP_FILE false, RETURN_STATS true`;
  const [row] = await connection.rows(sql`COPY (${query}) TO ${quoted(target)} (${raw(options)})`);
  return Number(row?.[1]);
}
