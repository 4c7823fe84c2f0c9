import { identifier, join, quoted, raw, type Sql, sql } from '../../../../duckdb/sql.js';
import type { LinkedCsvLayout, TextScan } from '../../../../storage/linked/linked-text.js';
import type { NamedType } from '../../../../types/column.js';
import { typeToSql } from '../../../../types/type-to-sql.js';
import { fromReadSql, maxObjectSize, readTypeName } from '../part-column.js';

/** A text file that a scan has found well-formed. */
export interface ReadableText {
  readonly path: string;
  readonly scan: TextScan;
}

/** What all text files of a table have in common. */
export interface TextSource {
  /** Absent for NDJSON. */
  readonly layout?: LinkedCsvLayout;
  /** The columns in the files. */
  readonly columns: readonly NamedType[];
  /** The columns in the names of folders. */
  readonly partitions: readonly NamedType[];
}

/** How much the engine reads at once, at least: less is no quicker, and more costs memory. */
const MIN_CSV_LINE_BYTES = 2_000_000;

/**
 * The SELECT of the rows of text files, with every value as an upload of the file would have it.
 * Filters on the names of folders, and projections, reach the files.
 *
 * @param toPath SQL for a path: how depends on whether the engine may open files by their full
 *   paths.
 */
export function textRowsToSql(files: readonly ReadableText[], source: TextSource, toPath: (path: string) => Sql): Sql {
  const { layout } = source;
  if (!layout) return ndjsonToSql(files, source, toPath);
  const groups = groupByForm(files).map((group) => csvToSql(group, layout, source, toPath));
  return join(groups, ' UNION ALL ');
}

/** Files of the same columns in the same order, which one function reads at the same time. */
function groupByForm(files: readonly ReadableText[]): ReadableText[][] {
  const groups = new Map<string, ReadableText[]>();
  for (const file of files) {
    const { names, hasTrailingDelimiter, hasQuotedNewline } = getCsv(file);
    const key = JSON.stringify([names, hasTrailingDelimiter, hasQuotedNewline]);
    const group = groups.get(key);
    if (group) group.push(file);
    else groups.set(key, [file]);
  }
  return [...groups.values()];
}

/** The engine names columns by their positions, so that no two have the same name. */
function csvToSql(
  files: readonly ReadableText[],
  { delimiter, hasHeader }: LinkedCsvLayout,
  { columns, partitions }: TextSource,
  toPath: (path: string) => Sql,
): Sql {
  const { names, hasTrailingDelimiter, hasQuotedNewline } = getCsv(files[0] as ReadableText);
  const wanted = new Map(columns.map((column) => [column.name.toLowerCase(), column]));
  const cells = names.map((name, index) => ({ name: cellName(index), type: wanted.get(name.toLowerCase())?.type }));
  if (hasTrailingDelimiter) cells.push({ name: cellName(names.length), type: undefined });
  const maxLineBytes = Math.max(MIN_CSV_LINE_BYTES, longestRecordBytes(files) + 2);
  const options = [
    sql`columns = {${cells.map(({ name, type }) => sql`${identifier(name)}: ${quoted(type ? readTypeName(type) : 'VARCHAR')}`)}}`,
    sql`delim = ${quoted(delimiter)}, header = ${raw(String(hasHeader))}, auto_detect = false, quote = '"', escape = '"'`,
    // Only an empty cell is NULL, not "". The cell after a trailing delimiter may be missing.
    sql`allow_quoted_nulls = false, strict_mode = true, null_padding = ${raw(String(hasTrailingDelimiter))}`,
    sql`max_line_size = ${raw(String(maxLineBytes))}, buffer_size = ${raw(String(2 * maxLineBytes))}`,
    ...(hasQuotedNewline || hasTrailingDelimiter ? [raw('parallel = false')] : []),
  ];
  const folded = names.map((name) => name.toLowerCase());
  const values = columns.map(({ name, type }) => {
    const index = folded.indexOf(name.toLowerCase());
    const value = index < 0 ? sql`CAST(NULL AS ${typeToSql(type)})` : fromReadSql(inFiles(cellName(index)), type);
    return sql`${value} AS ${identifier(name)}`;
  });
  const paths = files.map(({ path }) => toPath(path));
  const selection = [...values, ...partitions.map(({ name }) => inFiles(name))];
  return sql`SELECT ${selection} FROM read_csv([${paths}], ${join(options, ', ')}, ${hiveOptions(partitions)}) AS files`;
}

function ndjsonToSql(
  files: readonly ReadableText[],
  { columns, partitions }: TextSource,
  toPath: (path: string) => Sql,
): Sql {
  const types = columns.map(({ name, type }) => sql`${quoted(name)}: ${quoted(readTypeName(type))}`);
  const values = columns.map(({ name, type }) => sql`${fromReadSql(inFiles(name), type)} AS ${identifier(name)}`);
  const selection = [...values, ...partitions.map(({ name }) => inFiles(name))];
  const paths = files.map(({ path }) => toPath(path));
  return sql`
    SELECT ${selection} FROM read_ndjson([${paths}], columns = {${types}}, auto_detect = false,
      ${maxObjectSize(longestRecordBytes(files))}, ${hiveOptions(partitions)}) AS files`;
}

/** SQL for the path of one file, for a reader of globs: special characters stand in brackets. */
export function filePathSql(path: string): Sql {
  return quoted(path.replaceAll(/[[*?]/g, '[$&]'));
}

/** The options of readers for the names of folders that hold columns. */
export function hiveOptions(partitions: readonly NamedType[]): Sql {
  if (partitions.length === 0) return raw('hive_partitioning = false');
  const types = partitions.map(({ name, type }) => sql`${quoted(name)}: ${quoted(typeToSql(type).text)}`);
  return sql`hive_partitioning = true, hive_types = {${types}}`;
}

function longestRecordBytes(files: readonly ReadableText[]): number {
  return files.reduce((longest, { scan }) => Math.max(longest, scan.longestRecordBytes), 0);
}

function getCsv({ scan }: ReadableText): NonNullable<TextScan['csv']> {
  if (!scan.csv) throw new Error('A CSV file was scanned as another format');
  return scan.csv;
}

function cellName(index: number): string {
  return `cell ${index}`;
}

/** A column of the files, which is not to be mistaken for the one that is made of it. */
function inFiles(name: string): Sql {
  return sql`files.${identifier(name)}`;
}
