import type { CsvDialect } from '../../../duckdb/csv-reading.js';
import type { Connection } from '../../../duckdb/engine/engine.js';
import { sql } from '../../../duckdb/sql.js';
import { filePathSql } from '../linked-files-to-sql.js';

/** How one CSV file is written, as the engine finds after a look at all of it. */
export interface SniffedCsv {
  readonly path: string;
  readonly dialect: CsvDialect;
  readonly columnNames: readonly string[];
}

type Formats = Pick<CsvDialect, 'dateFormat' | 'timestampFormat'>;

/** What the engine says where there is no such character. */
const NONE = '(empty)';

/** Looks at all of a file. */
export async function sniffCsv(connection: Connection, path: string): Promise<SniffedCsv> {
  const [row = []] = await connection.rows(sql`
    SELECT Delimiter, Quote, Escape, Comment, SkipRows, HasHeader, DateFormat, TimestampFormat,
      list_transform(Columns, lambda c: c.name)
    FROM sniff_csv(${filePathSql(path)}, sample_size = -1)`);
  const [delimiter, quote, escapeOfQuotes, comment, skippedLines, hasHeader, dateFormat, timestampFormat, names] = row;
  return {
    path,
    dialect: {
      delimiter: toCharacter(delimiter),
      quote: toCharacter(quote),
      escape: toCharacter(escapeOfQuotes),
      comment: toCharacter(comment),
      skippedLines: Number(skippedLines),
      hasHeader: hasHeader === true,
      ...(typeof dateFormat === 'string' && { dateFormat }),
      ...(typeof timestampFormat === 'string' && { timestampFormat }),
    },
    columnNames: Array.isArray(names) ? names.map(String) : [],
  };
}

/**
 * The dialects in which all of these files could be written, the likeliest first, without the formats of dates. A file tells nothing of what it
 * does not hold: of quotes where nothing is quoted, of the delimiter where there is one column. Files that come later can hold it.
 */
export function findCsvDialects(files: readonly SniffedCsv[]): CsvDialect[] {
  const telling = orElse(
    files.filter(({ dialect, columnNames }) => dialect.hasHeader || columnNames.length > 1),
    files,
  );
  const wide = orElse(
    telling.filter(({ columnNames }) => columnNames.length > 1),
    telling,
  );
  let dialects: CsvDialect[] = distinct(wide, 'delimiter').flatMap((delimiter) =>
    orElse(distinct(telling, 'quote').filter(Boolean), ['"', '']).map((quote) => ({
      delimiter,
      quote,
      escape: distinct(telling, 'escape').find(Boolean) ?? quote,
      comment: distinct(telling, 'comment').find(Boolean) ?? '',
      skippedLines: 0,
      hasHeader: true,
    })),
  );
  for (const key of ['skippedLines', 'hasHeader'] as const)
    dialects = distinct(telling, key).flatMap((value) => dialects.map((dialect) => ({ ...dialect, [key]: value })));
  return dialects;
}

/** The formats in which the dates of all of these files could be written. Where days and months are all below 13, a file does not tell. */
export function findFormats(files: readonly SniffedCsv[]): Formats[] {
  const dateFormats = orElse(distinct(files, 'dateFormat').filter(Boolean), [undefined]);
  const timestampFormats = orElse(distinct(files, 'timestampFormat').filter(Boolean), [undefined]);
  return dateFormats.flatMap((dateFormat) =>
    timestampFormats.map((timestampFormat) => ({
      ...(dateFormat && { dateFormat }),
      ...(timestampFormat && { timestampFormat }),
    })),
  );
}

function toCharacter(value: unknown): string {
  return value === NONE ? '' : String(value);
}

function distinct<K extends keyof CsvDialect>(files: readonly SniffedCsv[], key: K): CsvDialect[K][] {
  return [...new Set(files.map(({ dialect }) => dialect[key]))];
}

function orElse<T>(values: readonly T[], others: readonly T[]): readonly T[] {
  return values.length > 0 ? values : others;
}
