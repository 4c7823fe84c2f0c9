import { type CsvDialect, csvDialectToSql } from '../../../duckdb/csv-reading.js';
import type { Connection, ResultColumn } from '../../../duckdb/engine/engine.js';
import { join, quoted, type Sql, sql } from '../../../duckdb/sql.js';
import { columnsInFiles, type LinkedFiles } from '../../linked-files.js';
import { filePathSql, linkedFilesToSql, readCsvFilesSql } from '../linked-files-to-sql.js';
import { findCsvDialects, findFormats, type SniffedCsv, sniffCsv } from './find-csv-dialects.js';

/** What linked CSV files hold, and how they are to be read. */
export interface DescribedCsv {
  readonly columns: readonly ResultColumn[];
  readonly rowCount: number;
  readonly dialect: CsvDialect;
}

/**
 * Finds one dialect for all files: in it they have the columns and the rows that each has in its own. All of their values are read in it, so that
 * a run can read them, too.
 *
 * @throws EngineError if the engine cannot read a file, Error if there is no such dialect.
 */
export async function describeCsv(connection: Connection, files: LinkedFiles): Promise<DescribedCsv> {
  const sniffed: SniffedCsv[] = [];
  for (const { path } of files.files) sniffed.push(await sniffCsv(connection, path));
  const names = sniffed.flatMap(({ columnNames }) => columnNames);
  if (names.some((name) => name.includes('\0'))) throw new Error('the name of a column holds the character NUL');
  let rowCount = 0;
  for (const file of sniffed) rowCount += await countRows(connection, inOwnDialect(file));
  for (const dialect of findCsvDialects(sniffed)) {
    const described: DescribedCsv[] = [];
    for (const formats of findFormats(sniffed)) {
      const found = await describeIn({ ...dialect, ...formats }, connection, files).catch(() => undefined);
      if (found?.rowCount === rowCount && hasNames(found, names, files)) described.push(found);
    }
    // In a format that is not theirs, dates are text.
    const [best] = described.toSorted((a, b) => countTexts(a) - countTexts(b));
    if (best) return best;
  }
  throw new Error('they are not written alike: link files of the same delimiter, quotes and header together');
}

async function describeIn(dialect: CsvDialect, connection: Connection, files: LinkedFiles): Promise<DescribedCsv> {
  const columns = await connection.describe(sql`SELECT * FROM ${linkedFilesToSql(files, dialect)} LIMIT 0`);
  const source = readCsvFilesSql(files, columnsInFiles(columns, files), dialect);
  return { columns, rowCount: await countRows(connection, source), dialect };
}

/** Counts rows by reading every value of them. */
async function countRows(connection: Connection, source: Sql): Promise<number> {
  const [[count] = []] = await connection.rows(sql`SELECT count(*), count(COLUMNS(*)) FROM ${source}`);
  return Number(count);
}

/** A file in the dialect that was found for it alone, its values as text. */
function inOwnDialect({ path, dialect, columnNames }: SniffedCsv): Sql {
  const columns = columnNames.map((name) => join([quoted(name), quoted('VARCHAR')], ': '));
  return sql`read_csv(${filePathSql(path)}, auto_detect = false, columns = {${columns}}, ${csvDialectToSql(dialect)})`;
}

/** Whether the columns have these names, and no others. Case does not tell columns apart. */
function hasNames({ columns }: DescribedCsv, names: readonly string[], files: LinkedFiles): boolean {
  const inFiles = columnsInFiles(
    names.map((name) => ({ name })),
    files,
  );
  const wanted = toKeys(inFiles);
  const found = toKeys(columnsInFiles(columns, files));
  return wanted.size === found.size && [...wanted].every((name) => found.has(name));
}

function toKeys(columns: readonly { name: string }[]): Set<string> {
  return new Set(columns.map(({ name }) => name.toLowerCase()));
}

function countTexts({ columns }: DescribedCsv): number {
  return columns.filter(({ type }) => type.kind === 'scalar' && type.name === 'VARCHAR').length;
}
