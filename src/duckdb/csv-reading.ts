import type { NamedType } from './column.js';
import { join, quoted, raw, type Sql, sql } from './sql.js';
import { typeToSql } from './type-to-sql.js';

/** How CSV files are written. With it the engine reads all of a file as it would after a look at the whole, however little it has seen. */
export interface CsvDialect {
  readonly delimiter: string;
  /** Empty if nothing is quoted. */
  readonly quote: string;
  readonly escape: string;
  /** Empty if there are no comments. */
  readonly comment: string;
  /** Lines before the header or the first row. */
  readonly skippedLines: number;
  readonly hasHeader: boolean;
  /** As the engine writes formats, `%d/%m/%Y`. */
  readonly dateFormat?: string;
  readonly timestampFormat?: string;
}

/** Options of `read_csv`. The ends of lines are left to the engine: it knows them from the first line of each file, and wants them alike. */
export function csvDialectToSql(dialect: CsvDialect): Sql {
  const { delimiter, quote, comment, skippedLines, hasHeader, dateFormat, timestampFormat } = dialect;
  const options = [
    sql`delim = ${quoted(delimiter)}, quote = ${quoted(quote)}, escape = ${quoted(dialect.escape)}`,
    sql`comment = ${quoted(comment)}`,
    sql`skip = ${raw(String(skippedLines))}, header = ${raw(String(hasHeader))}, strict_mode = true`,
  ];
  if (dateFormat !== undefined) options.push(sql`dateformat = ${quoted(dateFormat)}`);
  if (timestampFormat !== undefined) options.push(sql`timestampformat = ${quoted(timestampFormat)}`);
  return join(options, ', ');
}

/** The value of an option that gives columns their types: `{'n': 'BIGINT'}`. */
export function columnTypesToSql(columns: readonly NamedType[]): Sql {
  return sql`{${columns.map(({ name, type }) => join([quoted(name), quoted(typeToSql(type).text)], ': '))}}`;
}

/** Options of `read_csv` for files whose columns and dialect are known. Without a dialect, the engine looks at all of each file first. */
export function csvReadingToSql(columns: readonly NamedType[], dialect: CsvDialect | undefined): Sql {
  const options = [dialect ? csvDialectToSql(dialect) : raw('sample_size = -1')];
  if (columns.length > 0) options.push(sql`types = ${columnTypesToSql(columns)}`);
  return join(options, ', ');
}
