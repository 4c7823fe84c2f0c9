import type { Connection } from '../../../duckdb/connection/connection.js';
import { identifier, join, raw, sql } from '../../../duckdb/sql.js';
import { bloomFilterOption } from '../../../types/bloom-filter.js';
import { toStoredSql } from '../../../types/storage-encoding.js';
import { RESULT_FILE } from '../run-messages.js';
import { type CopyStatistics, parseCopyStatistics } from './copy-statistics.js';
import { embedBody } from './embed-body.js';
import type { GatedStatement } from './gate/statement-gate.js';
import type { PlannedColumn } from './result-columns.js';

/** How result files are written, as reads need it (`docs/decisions/0006-snappy-parquet.md`). */
const PARQUET_OPTIONS = 'PARQUET_VERSION V2, COMPRESSION snappy, ROW_GROUP_SIZE 122880';
/**
 * Most values in the dictionary of a column, and most text in it. The engine allocates all of it at
 * first: 2 MB.
 */
const DICTIONARY_VALUES = 12_288;
const DICTIONARY_BYTES = 2 ** 20;
/** With more columns than this, their dictionaries share what so many take. */
const FULL_DICTIONARIES = 40;

/**
 * Runs the statement and writes its rows, in their order, to the result file.
 *
 * @param rowLimit how many of the first rows to write; all of them if absent.
 * @throws StatementError
 */
export async function writeResult(
  connection: Connection,
  statement: GatedStatement,
  columns: readonly PlannedColumn[],
  rowLimit?: number,
): Promise<CopyStatistics> {
  const sources = columns.map((_, index) => identifier(`c${index}`));
  const projection = columns.map(({ name, type, storedAs }, index) => {
    const source = sources[index] ?? raw('NULL');
    return sql`${toStoredSql(source, type, storedAs)} AS ${identifier(name)}`;
  });
  const limit = rowLimit === undefined ? '' : ` LIMIT ${rowLimit}`;
  const query = {
    before: `COPY (SELECT ${join(projection, ', ').text} FROM `,
    statement,
    after:
      `AS __q(${join(sources, ', ').text})${limit}) TO '${RESULT_FILE}' ` +
      `(FORMAT parquet, ${PARQUET_OPTIONS}, ${dictionaryOptions(columns.length)}, ` +
      `${bloomFilterOption(columns)}, USE_TMP_FILE false, RETURN_STATS true)`,
  };
  const [row] = await embedBody(query, (copy) => connection.rows(copy));
  if (!row) throw new Error('The engine returned no statistics of the result file');
  return parseCopyStatistics(row);
}

function dictionaryOptions(columnCount: number): string {
  const share = Math.min(1, FULL_DICTIONARIES / columnCount);
  const values = Math.floor(DICTIONARY_VALUES * share);
  return `DICTIONARY_SIZE_LIMIT ${values}, STRING_DICTIONARY_PAGE_SIZE_LIMIT ${Math.floor(DICTIONARY_BYTES * share)}`;
}
