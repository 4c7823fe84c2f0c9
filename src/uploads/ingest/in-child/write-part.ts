import { quoted, raw, type Sql, sql } from '../../../duckdb/sql.js';
import type { IngestEngine } from './open-engine.js';
import { planWork, type RowShape } from './work-plan.js';

/** See `docs/decisions/0006-snappy-parquet.md`. */
const FORMAT = 'FORMAT parquet, PARQUET_VERSION V2, COMPRESSION snappy';
/** Most different values of which a dictionary is made, as a share of the rows of a group: the search for more takes longer than it saves. */
const DICTIONARY_SHARE = 1 / 10;

/** Writes the rows of a query, in their order, to a Parquet file; returns their number. */
export async function writePart(engine: IngestEngine, query: Sql, target: string, shape: RowShape): Promise<number> {
  const { threads, rowGroupRows } = planWork(engine.budget, shape);
  await engine.connection.run(raw(`SET threads = ${threads}`));
  const dictionarySize = Math.ceil(rowGroupRows * DICTIONARY_SHARE);
  const options =
    `${FORMAT}, ROW_GROUP_SIZE ${rowGroupRows}, DICTIONARY_SIZE_LIMIT ${dictionarySize}, ` +
    'USE_TMP_FILE false, RETURN_STATS true';
  const [row] = await engine.connection.rows(sql`COPY (${query}) TO ${quoted(target)} (${raw(options)})`);
  return Number(row?.[1]);
}
