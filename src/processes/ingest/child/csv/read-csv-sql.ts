import { quoted, raw, type Sql, sql } from '../../../../duckdb/sql.js';
import { type SourceColumn, sourceColumnsSql } from '../part-column.js';
import type { CsvForm } from './csv-scanner.js';

const DIALECT = [
  'auto_detect = false',
  `quote = '"'`,
  `escape = '"'`,
  'strict_mode = true',
  'null_padding = false',
  // So that "" is the empty string, and only nothing at all is NULL.
  'allow_quoted_nulls = false',
].join(', ');

/** How much the engine reads at once, at least: more costs memory and makes nothing faster. */
const BUFFER_BYTES = 4_000_000;

/**
 * SQL for the rows of a CSV text that a scan has found well-formed and not unusual. Nothing is left to the engine's own judgement; several
 * threads read it only if no quoted line break could be taken for the end of a record.
 */
export function readCsvSql(path: string, columns: readonly SourceColumn[], form: CsvForm): Sql {
  const options = [DIALECT, `header = ${form.hasHeader}`];
  if (form.hasQuotedNewline) options.push('parallel = false');
  const maxLineBytes = Math.max(BUFFER_BYTES / 2, form.longestRecordBytes + 2);
  options.push(`max_line_size = ${maxLineBytes}`, `buffer_size = ${2 * maxLineBytes}`);
  return sql`read_csv(${quoted(path)}, columns = ${sourceColumnsSql(columns)}, delim = ${quoted(form.delimiter)}, ${raw(options.join(', '))})`;
}
