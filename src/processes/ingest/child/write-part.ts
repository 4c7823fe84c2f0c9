import { quoted, raw, type Sql, sql } from '../../../duckdb/sql.js';
import { bloomFilterOption } from '../../../types/bloom-filter.js';
import type { TableColumn } from '../../../types/table-column.js';
import type { IngestEngine } from './open-engine.js';
import { planWork } from './work-plan.js';

/** See `docs/decisions/0006-snappy-parquet.md`. */
const FORMAT = 'FORMAT parquet, PARQUET_VERSION V2, COMPRESSION snappy';
/**
 * Most values of a dictionary, as a share of the rows of a group: more cost more than they save.
 */
const DICTIONARY_SHARE = 1 / 10;

/** A part that is to be written. */
interface PartWrite {
  readonly query: Sql;
  readonly target: string;
  readonly columns: readonly TableColumn[];
  /** Average size of a row as text. */
  readonly rowBytes: number;
  /** Whether a double is -0. The engine would make one entry of a dictionary for 0 and -0. */
  readonly hasNegativeZero: boolean;
}

/** Writes the rows of a query, in their order, to a Parquet file; returns their number. */
export async function writePart(
  { connection, budget }: IngestEngine,
  { query, target, columns, rowBytes, hasNegativeZero }: PartWrite,
): Promise<number> {
  const { threads, rowGroupRows, dictionaryBytes } = planWork(budget, { columnCount: columns.length, rowBytes });
  await connection.run(raw(`SET threads = ${threads}`));
  const options = [
    FORMAT,
    `ROW_GROUP_SIZE ${rowGroupRows}`,
    `DICTIONARY_SIZE_LIMIT ${hasNegativeZero ? 0 : Math.ceil(rowGroupRows * DICTIONARY_SHARE)}`,
    `STRING_DICTIONARY_PAGE_SIZE_LIMIT ${dictionaryBytes}`,
    bloomFilterOption(columns),
    'USE_TMP_FILE false',
    'RETURN_STATS true',
  ];
  const [row] = await connection.rows(sql`COPY (${query}) TO ${quoted(target)} (${raw(options.join(', '))})`);
  return Number(row?.[1]);
}
