import type { Column } from './column.js';
import { finiteNumberSql, nonFiniteTextSql, scalarTextSql } from './scalar-text.js';
import { identifier, join, raw, type Sql, sql } from './sql.js';
import { isWideInteger } from './wide-integer.js';

/** Options of a COPY that writes one VARCHAR expression as lines, verbatim, without header. The text must hold no newline. */
export const RAW_LINES = raw(`FORMAT csv, HEADER false, DELIMITER '\n', QUOTE '', ESCAPE '', NULLSTR ''`);

/** Most digits that every DECIMAL of a column can have and still be a JSON number without loss. */
const MAX_NUMBER_DIGITS = 15;

/**
 * SQL for the JSON object of a row, VARCHAR on one line, from stored columns: keys in the order given, values as in
 * `interface.md`, section 4.
 */
export function jsonRowSql(columns: readonly Column[]): Sql {
  if (columns.length === 0) return raw(`'{}'`);
  const floats = columns.filter(isFloat);
  const plain = objectSql(columns, plainFieldSql);
  if (floats.length === 0) return plain;
  // `to_json` writes a bare NaN. Its fast path takes the rows without one, which are nearly always all.
  const hasNonFinite = join(
    floats.map(({ name }) => sql`NOT isfinite(${identifier(name)})`),
    ' OR ',
  );
  return sql`CASE WHEN ${hasNonFinite} THEN ${objectSql(columns, safeFieldSql)} ELSE ${plain} END`;
}

/** SQL for the JSON text of one stored column's value, VARCHAR, `null` for NULL. */
export function jsonValueSql(column: Column): Sql {
  return sql`coalesce(CAST(to_json(${safeFieldSql(column)}) AS VARCHAR), 'null')`;
}

function objectSql(columns: readonly Column[], toField: (column: Column) => Sql): Sql {
  const fields = columns.map((column) => sql`${identifier(column.name)} := ${toField(column)}`);
  return sql`CAST(to_json(struct_pack(${fields})) AS VARCHAR)`;
}

/** What `to_json` prints right, as long as floating-point values are finite. */
function plainFieldSql(column: Column): Sql {
  const { name, type, storedAs, isSafeInteger } = column;
  const stored = identifier(name);
  if (isWideInteger(type)) return isSafeInteger ? sql`CAST(${stored} AS BIGINT)` : sql`CAST(${stored} AS VARCHAR)`;
  if (storedAs === 'text') return stored;
  if (type.kind === 'decimal') {
    return type.precision <= MAX_NUMBER_DIGITS ? stored : scalarTextSql(stored, type);
  }
  if (type.kind !== 'scalar') return stored;
  switch (type.name) {
    case 'FLOAT':
    case 'DOUBLE':
      return finiteNumberSql(stored, type.name);
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

function safeFieldSql(column: Column): Sql {
  if (!isFloat(column)) return plainFieldSql(column);
  const stored = identifier(column.name);
  return sql`CASE WHEN isfinite(${stored}) THEN to_json(${plainFieldSql(column)}) ELSE to_json(${nonFiniteTextSql(stored)}) END`;
}

function isFloat({ type }: Column): boolean {
  return type.kind === 'scalar' && (type.name === 'FLOAT' || type.name === 'DOUBLE');
}
