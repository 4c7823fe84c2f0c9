import type { Column } from './column.js';
import { csvValueSql } from './csv-text.js';
import { join, raw, type Sql, sql } from './sql.js';

/** What a COPY in `CSV_FORMAT` puts between quotes. */
const QUOTED_TEXT = '[",\\r\\n#]';

/**
 * SQL for the CSV line of a row, VARCHAR, without its final newline: byte for byte what a COPY in `CSV_FORMAT` writes.
 * One flat `concat`: a chain of `||` would nest deeper than the engine allows for some hundred columns.
 */
export function csvRowSql(columns: readonly Column[]): Sql {
  return sql`concat(${join(columns.map(csvFieldSql), `, ',', `)})`;
}

/** The header line of a CSV text, without its final newline. */
export function csvHeader(columns: readonly Column[]): string {
  const [first = '', ...others] = columns.map(({ name }) => quoteField(name));
  const header = [first, ...others].join(',');
  return beginsLikeZlib(`${header}\n`) ? [`"${first}"`, ...others].join(',') : header;
}

/**
 * Whether a text could be taken for a zlib stream (RFC 1950, section 2.2), as `hb` and `x y` could: what compresses answers
 * would send it as it is, but say that it is compressed.
 */
function beginsLikeZlib(text: string): boolean {
  const [first = 0, second = 0] = Buffer.from(text.slice(0, 2));
  return (first & 0x8f) === 0x08 && (256 * first + second) % 31 === 0;
}

function quoteField(text: string): string {
  return text === '' || new RegExp(QUOTED_TEXT).test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvFieldSql(column: Column): Sql {
  const text = sql`CAST(${csvValueSql(column)} AS VARCHAR)`;
  if (isNeverQuoted(column)) return sql`coalesce(${text}, '')`;
  const needsQuotes = sql`${text} = '' OR regexp_matches(${text}, ${raw(`'${QUOTED_TEXT}'`)})`;
  return sql`CASE WHEN ${text} IS NULL THEN '' WHEN ${needsQuotes} THEN '"' || replace(${text}, '"', '""') || '"' ELSE ${text} END`;
}

/** Numbers, booleans, dates and times print as text that needs no quotes. */
function isNeverQuoted({ type, storedAs }: Column): boolean {
  if (storedAs !== 'same') return storedAs === 'decimal';
  return type.kind === 'decimal' || (type.kind === 'scalar' && type.name !== 'VARCHAR');
}
