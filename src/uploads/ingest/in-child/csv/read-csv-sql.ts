import { quoted, raw, type Sql, sql } from '../../../../duckdb/sql.js';
import { type SourceColumn, sourceColumnsSql } from '../part-column.js';
import type { CsvForm } from './csv-scanner.js';

const DIALECT = [
  'auto_detect = false',
  'header = true',
  "delim = ','",
  `quote = '"'`,
  `escape = '"'`,
  'strict_mode = true',
  'null_padding = false',
  // So that "" is the empty string, and only nothing at all is NULL.
  'allow_quoted_nulls = false',
].join(', ');

/** What the engine takes without being told, and how much it then reads at once. */
const USUAL_RECORD_BYTES = 2_000_000;
const USUAL_BUFFER_BYTES = 32_000_000;

/**
 * SQL for the rows of a CSV text that a scan has found well-formed and not unusual. Nothing is left to the engine's own judgement; several
 * threads read it only if no quoted line break could be taken for the end of a record.
 */
export function readCsvSql(path: string, columns: readonly SourceColumn[], form: CsvForm): Sql {
  const options = [DIALECT];
  if (form.hasQuotedNewline) options.push('parallel = false');
  if (form.longestRecordBytes > USUAL_RECORD_BYTES) {
    const bufferBytes = Math.max(USUAL_BUFFER_BYTES, 2 * form.longestRecordBytes);
    options.push(`max_line_size = ${form.longestRecordBytes + 2}`, `buffer_size = ${bufferBytes}`);
  }
  return sql`read_csv(${quoted(path)}, columns = ${sourceColumnsSql(columns)}, ${raw(options.join(', '))})`;
}
