import type { Connection } from '../../../duckdb/connection/connection.js';
import { type Sql, sql } from '../../../duckdb/sql.js';
import type { LinkedFile, LinkedFiles } from '../../../storage/linked/linked-files.js';
import type {
  LinkedCsvLayout,
  LinkedText,
  LinkOptions,
  ScannedFile,
  TextScan,
} from '../../../storage/linked/linked-text.js';
import type { TableColumn } from '../../../types/table-column.js';
import { findColumnNameIssue } from '../column-name.js';
import { delimiterName } from '../csv-delimiter.js';
import type { IngestOutcome } from '../ingest-messages.js';
import { unreadableFiles } from './content-error.js';
import { engineReason, isOutOfMemory } from './linked/engine-reason.js';
import { findLinkedDelimiter } from './linked/find-linked-delimiter.js';
import { LinkedFileError } from './linked/linked-file-error.js';
import { partitionColumns } from './linked/partition-columns.js';
import { filePathSql, type ReadableText, textRowsToSql } from './linked/text-rows-to-sql.js';
import { type StampedText, TextScanner } from './linked/text-scanner.js';

/** Scans that are stored with a table, and read whenever it is. Runs scan the other files. */
const MAX_KEPT_FILES = 1_000;

type FindNameIssue = (name: string) => string | undefined;

/**
 * Finds the columns of CSV or NDJSON files by reading all of them by the rules of uploads, and
 * counts their rows.
 *
 * @throws LinkedFileError, ContentError
 */
export async function describeText(
  connection: Connection,
  found: LinkedFiles,
  options: LinkOptions,
): Promise<IngestOutcome> {
  const partitions = partitionColumns(found, options);
  const findNameIssue = options.hasHeader ? () => undefined : findColumnNameIssue;
  const layout = found.format === 'csv' ? await findLayout(found.files, options, findNameIssue) : undefined;
  const scanner = scannerOf(found, options, partitions, { layout, findNameIssue });
  const scanned: StampedText[] = [];
  for (const { path, relativePath } of found.files)
    scanned.push(await scanner.scan(path, relativePath).catch((error: unknown) => explain(error, layout, options)));
  const columns = [...scanner.columns(), ...partitions];
  refuseMissing(scanner.missing, columns);
  await checkWithEngine(connection, { found, scanned, columns: scanner.columns(), partitions, layout });
  const rowCount = scanned.reduce((sum, file) => sum + file.rowCount, 0);
  return { columns, rowCount, text: toLinkedText(found.files, scanned, layout, options) };
}

function scannerOf(
  { format }: LinkedFiles,
  { columns = [], isAllText = false }: LinkOptions,
  partitions: readonly TableColumn[],
  csv: { layout: LinkedCsvLayout | undefined; findNameIssue: FindNameIssue },
): TextScanner {
  const ignored = new Set(partitions.map(({ name }) => name.toLowerCase()));
  const known = columns.filter(({ name }) => !ignored.has(name.toLowerCase()));
  return new TextScanner({
    format: format === 'csv' ? 'csv' : 'ndjson',
    ...(csv.layout && { layout: csv.layout }),
    expected: { known, isClosed: false, ignored },
    givenColumns: new Set(known.map(({ name }) => name.toLowerCase())),
    isAllText,
    findNameIssue: csv.findNameIssue,
  });
}

async function findLayout(
  files: readonly LinkedFile[],
  { delimiter, hasHeader = true }: LinkOptions,
  findNameIssue: FindNameIssue,
): Promise<LinkedCsvLayout> {
  const isName = (text: string) => findNameIssue(text) === undefined;
  return { delimiter: delimiter ?? (await findLinkedDelimiter(files, hasHeader, isName)), hasHeader };
}

/** Adds to the error of a CSV file the options that may help. */
function explain(error: unknown, layout: LinkedCsvLayout | undefined, options: LinkOptions): never {
  if (!(error instanceof LinkedFileError) || !layout) throw error;
  const advice: string[] = [];
  if (options.delimiter === undefined && layout.delimiter !== ',' && error.code === 'invalid_csv')
    advice.push(`the delimiter was found to be ${delimiterName(layout.delimiter)}, --delimiter gives another`);
  if (options.hasHeader === undefined && error.code === 'invalid_column_name')
    advice.push('--header yes takes the names of the columns as they are, --header no takes the first line as values');
  if (advice.length === 0) throw error;
  throw new LinkedFileError(error.relativePath, `${error.reason} (${advice.join('; ')})`, error.details);
}

function refuseMissing(missing: readonly { name: string }[], columns: readonly TableColumn[]): void {
  const names = columns.map(({ name }) => name).join(', ');
  const [first] = missing;
  if (first) throw unreadableFiles(`The files have no column '${first.name}': their columns are ${names}`);
  if (columns.length === 0) throw unreadableFiles('The files have no columns');
}

/** Reads every value as runs will do. */
async function checkWithEngine(
  connection: Connection,
  described: {
    readonly found: LinkedFiles;
    readonly scanned: readonly StampedText[];
    readonly columns: readonly TableColumn[];
    readonly partitions: readonly TableColumn[];
    readonly layout: LinkedCsvLayout | undefined;
  },
): Promise<void> {
  const { found, scanned, columns, partitions, layout } = described;
  const files: ReadableText[] = [];
  let rowCount = 0;
  for (const [index, { path }] of found.files.entries()) {
    const { scan, rowCount: count } = scanned[index] as StampedText;
    // Runs rewrite these first.
    if (scan.csv?.isUnusual) continue;
    files.push({ path, scan });
    rowCount += count;
  }
  if (files.length === 0) return;
  const rows: Sql = textRowsToSql(files, { columns, partitions, ...(layout && { layout }) }, filePathSql);
  const counts = sql`SELECT count(*), count(COLUMNS(*)) FROM (${rows})`;
  const [[count] = []] = await connection.rows(counts).catch((error: unknown) => {
    if (isOutOfMemory(error)) throw error;
    throw unreadableFiles(`The files cannot be read: ${engineReason(error, found.files)}`);
  });
  const read = Number(count);
  if (read !== rowCount) throw new Error(`The engine read ${read} rows of linked files that have ${rowCount}`);
}

function toLinkedText(
  found: readonly LinkedFile[],
  scanned: readonly StampedText[],
  layout: LinkedCsvLayout | undefined,
  { columns = [] }: LinkOptions,
): LinkedText {
  const forms = new Map<string, { readonly index: number; readonly form: NonNullable<TextScan['csv']> }>();
  const files = found.slice(0, MAX_KEPT_FILES).map(({ path }, index): ScannedFile => {
    const { scan, stamp } = scanned[index] as StampedText;
    const file = { path, ...stamp, longestRecordBytes: scan.longestRecordBytes };
    if (!scan.csv) return file;
    const key = JSON.stringify(scan.csv);
    if (!forms.has(key)) forms.set(key, { index: forms.size, form: scan.csv });
    return { ...file, form: forms.get(key)?.index ?? 0 };
  });
  return {
    ...(layout && { layout }),
    givenColumns: columns.map(({ name }) => name),
    forms: [...forms.values()].map(({ form }) => form),
    files,
  };
}
