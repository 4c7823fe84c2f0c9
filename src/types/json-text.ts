import { identifier, join, quoted, raw, type Sql, sql } from '../duckdb/sql.js';
import type { Column } from './column.js';
import { jsonNumberSql, quoteNonFiniteSql, scalarTextSql } from './scalar-text.js';
import { isWideInteger } from './wide-integer.js';

/**
 * Options of a COPY that writes one VARCHAR expression as lines, verbatim, without header. The text must hold no newline. A quote that is
 * no character is forced upon each line, as the engine would else look through all of it for what needs one: twice the time.
 */
export const RAW_LINES = raw(
  `FORMAT csv, HEADER false, DELIMITER '\n', QUOTE '', ESCAPE '', FORCE_QUOTE *, NULLSTR ''`,
);

/** Most digits that every DECIMAL of a column can have and still be a JSON number without loss. */
const MAX_NUMBER_DIGITS = 15;

/**
 * SQL for the JSON object of a row, VARCHAR on one line, from stored columns: keys in the order given, values as in
 * `interface.md`, section 4.
 */
export function jsonRowSql(columns: readonly Column[]): Sql {
  if (columns.length === 0) return quoted('{}');
  const fields = columns.map((column) => sql`${identifier(column.name)} := ${fieldSql(column)}`);
  const object = sql`CAST(to_json(struct_pack(${fields})) AS VARCHAR)`;
  const floats = columns.filter(
    ({ type }) => type.kind === 'scalar' && (type.name === 'FLOAT' || type.name === 'DOUBLE'),
  );
  if (floats.length === 0) return object;
  const isNonFinite = floats.map(({ name }) => sql`NOT isfinite(${identifier(name)})`);
  return sql`CASE WHEN ${join(isNonFinite, ' OR ')} THEN ${quoteNonFiniteSql(object)} ELSE ${object} END`;
}

/** What `to_json` prints as the wire wants it, but for NaN and infinities, which it does not quote. */
function fieldSql({ name, type, storedAs, isSafeInteger }: Column): Sql {
  const stored = identifier(name);
  if (isWideInteger(type)) return isSafeInteger ? sql`CAST(${stored} AS BIGINT)` : sql`CAST(${stored} AS VARCHAR)`;
  if (storedAs === 'text') return stored;
  if (type.kind === 'decimal') {
    if (type.precision > MAX_NUMBER_DIGITS) return scalarTextSql(stored, type);
    return type.scale === 0 ? sql`CAST(${stored} AS BIGINT)` : stored;
  }
  if (type.kind !== 'scalar') return stored;
  switch (type.name) {
    case 'FLOAT':
    case 'DOUBLE':
      return jsonNumberSql(stored, type.name);
    case 'BLOB':
    case 'TIMESTAMP':
    case 'TIMESTAMP_S':
    case 'TIMESTAMP_MS':
    case 'TIMESTAMP_NS':
    case 'TIMESTAMPTZ':
      return scalarTextSql(stored, type);
    default:
      return stored;
  }
}
