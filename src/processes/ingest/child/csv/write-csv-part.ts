import { rm, stat } from 'node:fs/promises';
import { quoted, raw, type Sql, sql } from '../../../../duckdb/sql.js';
import type { TableColumn } from '../../../../types/table-column.js';
import type { IngestOutcome } from '../../ingest-messages.js';
import type { IngestEngine } from '../open-engine.js';
import { partColumnsSql, type SourceColumn, sourceColumnsSql } from '../part-column.js';
import { writePart } from '../write-part.js';
import { writeCanonicalCsv } from './canonical-csv.js';
import type { CsvHeader } from './csv-header.js';
import type { CsvDialect } from './csv-scanner.js';

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

/** A CSV text that a scan has found well-formed. */
export interface ScannedCsv {
  readonly path: string;
  readonly dialect: CsvDialect;
  readonly header: CsvHeader;
  readonly rowCount: number;
  /** Its columns, in its order, as the engine is to read them. */
  readonly columns: readonly SourceColumn[];
  /** Whether a double is -0. */
  readonly hasNegativeZero: boolean;
}

/**
 * Writes the rows of a CSV text as a part with these columns.
 *
 * @param sourceOf the column of the text that a column of the part comes from.
 */
export async function writeCsvPart(
  engine: IngestEngine,
  csv: ScannedCsv,
  target: string,
  columns: readonly TableColumn[],
  sourceOf: (column: TableColumn) => string | undefined,
): Promise<IngestOutcome> {
  const canonicalPath = `${target}.csv`;
  try {
    const { isUnusual, hasByteOrderMark } = csv.dialect;
    const isPlain = !isUnusual && !hasByteOrderMark && !csv.header.hasTrailingDelimiter;
    const plain = isPlain ? csv : await makeCanonical(csv, canonicalPath);
    const rowBytes = (await stat(csv.path)).size / Math.max(1, csv.rowCount);
    const query = sql`SELECT ${partColumnsSql(columns, sourceOf)} FROM ${readCsvSql(plain.path, plain.columns, plain.dialect)}`;
    const rowCount = await writePart(engine, {
      query,
      target,
      columns,
      rowBytes,
      hasNegativeZero: csv.hasNegativeZero,
    });
    if (rowCount !== csv.rowCount) throw new Error(`The engine read ${rowCount} rows of a CSV text of ${csv.rowCount}`);
    const { renamed } = csv.header;
    return { columns, rowCount, ...(renamed.length > 0 && { renamed }) };
  } finally {
    await rm(canonicalPath, { force: true });
  }
}

async function makeCanonical(csv: ScannedCsv, path: string): Promise<ScannedCsv> {
  await writeCanonicalCsv(csv.path, path, csv.header, csv.dialect);
  // Quotes can double.
  const dialect: CsvDialect = { ...csv.dialect, longestRecordBytes: 2 * csv.dialect.longestRecordBytes + 2 };
  return { ...csv, path, dialect };
}

/**
 * SQL for the rows of a CSV text that a scan has found well-formed and not unusual. Nothing is left
 * to the engine's own judgement; several threads read it only if no quoted line break could be
 * taken for the end of a record.
 */
function readCsvSql(path: string, columns: readonly SourceColumn[], dialect: CsvDialect): Sql {
  const options = [DIALECT, `header = ${dialect.hasHeader}`];
  if (dialect.hasQuotedNewline) options.push('parallel = false');
  const maxLineBytes = Math.max(BUFFER_BYTES / 2, dialect.longestRecordBytes + 2);
  options.push(`max_line_size = ${maxLineBytes}`, `buffer_size = ${2 * maxLineBytes}`);
  return sql`read_csv(${quoted(path)}, columns = ${sourceColumnsSql(columns)}, delim = ${quoted(dialect.delimiter)}, ${raw(options.join(', '))})`;
}
