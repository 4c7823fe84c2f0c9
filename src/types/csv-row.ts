import { bind, identifier, join, quoted, raw, type Sql, sql } from '../duckdb/sql.js';
import type { Column } from './column.js';
import { RAW_LINES } from './json-text.js';
import { printableSql } from './scalar-text.js';
import { recordOf } from './type-of.js';

/** Options of a COPY that writes rows as CSV (`docs/contract.md`, "CSV"), without header line. */
const CSV_FORMAT = raw(`FORMAT csv, HEADER false, DELIMITER ',', QUOTE '"', ESCAPE '"', NULLSTR ''`);

/** What a COPY in {@link CSV_FORMAT} puts between quotes. */
const QUOTED_TEXT = '[",\\r\\n#]';

/** How rows are written as CSV by a COPY: the expressions that it selects, and its options. */
export interface CsvCopy {
  readonly fields: readonly Sql[];
  readonly options: Sql;
}

/**
 * SQL for the CSV line of a row, VARCHAR, without its final newline: byte for byte what {@link
 * csvCopy} writes. A DECIMAL keeps all digits of its scale, also where JSON prints a number. One
 * flat `concat`: a chain of `||` would nest deeper than the engine allows for some hundred columns.
 *
 * @param nullText how NULL is written. If absent, NULL is an empty field; in a row of one column it
 * is `""`, because common readers skip a blank line.
 */
export function csvRowSql(columns: readonly Column[], nullText?: string): Sql {
  const nullSql = nullText === undefined ? quoted(columns.length === 1 ? '""' : '') : textSql(nullText);
  const fields = columns.map((column) => csvFieldSql(column, nullSql, nullText));
  return sql`concat(${join(fields, `, ',', `)})`;
}

/**
 * The COPY that writes rows as {@link csvRowSql} does. With the default NULL the engine writes the
 * fields itself, which is faster. With another NULL it would write the empty string as an empty
 * field, so that the lines are made here.
 */
export function csvCopy(columns: readonly Column[], nullText?: string): CsvCopy {
  if (nullText !== undefined) return { fields: [sql`${csvRowSql(columns, nullText)} AS line`], options: RAW_LINES };
  const [only, ...others] = columns;
  if (only && others.length === 0) {
    return { fields: [sql`coalesce(CAST(${printableSql(only)} AS VARCHAR), '')`], options: CSV_FORMAT };
  }
  return {
    fields: columns.map((column) => sql`${printableSql(column)} AS ${identifier(column.name)}`),
    options: CSV_FORMAT,
  };
}

/** The header line of a CSV text, without its final newline. */
export function csvHeader(columns: readonly Column[]): string {
  const [first = '', ...others] = columns.map(({ name }) => quoteField(name));
  const header = [first, ...others].join(',');
  return beginsLikeZlib(`${header}\n`) ? [`"${first}"`, ...others].join(',') : header;
}

/**
 * Whether a text could be taken for a zlib stream (RFC 1950, section 2.2), as `hb` and `x y` could:
 * the compression of answers would send it as it is, but declare it as compressed.
 */
function beginsLikeZlib(text: string): boolean {
  const [first = 0, second = 0] = Buffer.from(text.slice(0, 2));
  return (first & 0x8f) === 0x08 && (256 * first + second) % 31 === 0;
}

function quoteField(text: string): string {
  return text === '' || new RegExp(QUOTED_TEXT).test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A value that is equal to the text of NULL is put between quotes. */
function csvFieldSql(column: Column, nullSql: Sql, nullText: string | undefined): Sql {
  const text = sql`CAST(${printableSql(column)} AS VARCHAR)`;
  const conditions = [
    ...(nullText === undefined ? [] : [sql`${text} = ${textSql(nullText)}`]),
    ...(recordOf(column.type).csvQuotes === 'never'
      ? []
      : [sql`${text} = '' OR regexp_matches(${text}, ${raw(`'${QUOTED_TEXT}'`)})`]),
  ];
  if (conditions.length === 0) return sql`coalesce(${text}, ${nullSql})`;
  const needsQuotes = join(conditions, ' OR ');
  return sql`CASE WHEN ${text} IS NULL THEN ${nullSql} WHEN ${needsQuotes} THEN '"' || replace(${text}, '"', '""') || '"' ELSE ${text} END`;
}

function textSql(text: string): Sql {
  return sql`CAST(${bind(text)} AS VARCHAR)`;
}
