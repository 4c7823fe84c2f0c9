import { identifier, join, quoted, raw, type Sql, sql } from '../duckdb/sql.js';
import type { Column } from './column.js';
import { printableSql } from './scalar-text.js';
import { isFloat, recordOf } from './type-of.js';
import { floatToDoubleSql, quoteNonFiniteSql } from './value-text.js';

/**
 * Options of a COPY that writes one VARCHAR expression as lines, verbatim, without header. The text
 * must hold no newline. Each line is forced into quotes that are no character: otherwise the engine
 * searches each line for what needs quotes, which doubles the time.
 */
export const RAW_LINES = raw(
  `FORMAT csv, HEADER false, DELIMITER '\n', QUOTE '', ESCAPE '', FORCE_QUOTE *, NULLSTR ''`,
);

/**
 * SQL for the JSON object of a row, VARCHAR on one line, from stored columns: keys in the order
 * given, values as in `docs/contract.md`, "JSON values".
 */
export function jsonRowSql(columns: readonly Column[]): Sql {
  if (columns.length === 0) return quoted('{}');
  const fields = columns.map((column) => sql`${identifier(column.name)} := ${fieldSql(column)}`);
  const object = sql`CAST(to_json(struct_pack(${fields})) AS VARCHAR)`;
  const floats = columns.filter(({ type }) => isFloat(recordOf(type)));
  if (floats.length === 0) return object;
  const isNonFinite = floats.map(({ name }) => sql`NOT isfinite(${identifier(name)})`);
  return sql`CASE WHEN ${join(isNonFinite, ' OR ')} THEN ${quoteNonFiniteSql(object)} ELSE ${object} END`;
}

/** What `to_json` prints right, except for NaN and infinities, which it does not quote. */
function fieldSql(column: Column): Sql {
  const stored = identifier(column.name);
  switch (recordOf(column.type).json) {
    case 'wide_integer':
      return column.isSafeInteger ? sql`CAST(${stored} AS BIGINT)` : sql`CAST(${stored} AS VARCHAR)`;
    case 'whole_decimal':
      return sql`CAST(${stored} AS BIGINT)`;
    case 'bare':
    case 'decimal':
    case 'double':
      return stored;
    case 'float':
      return floatToDoubleSql(stored);
    case 'string':
      return printableSql(column);
    case 'bare_inside':
      return sql`CAST(${printableSql(column)} AS VARCHAR)`;
  }
}
