import { identifier, raw, type Sql } from '../duckdb/sql.js';
import type { Column } from './column.js';
import { scalarTextSql } from './scalar-text.js';

/** Options of a COPY that writes the rows of `interface.md`, section 4, CSV, without header line: NULL empty, the empty string `""`. */
export const CSV_FORMAT = raw(`FORMAT csv, HEADER false, DELIMITER ',', QUOTE '"', ESCAPE '"', NULLSTR ''`);

/**
 * SQL for a stored column's value whose text, as a COPY with {@link CSV_FORMAT} writes it, is the text that JSON has.
 * A DECIMAL keeps all digits of its scale, also where JSON prints a number.
 */
export function csvValueSql({ name, type, storedAs }: Column): Sql {
  const stored = identifier(name);
  if (storedAs !== 'same') return stored;
  if (type.kind === 'decimal') return type.precision === type.scale ? scalarTextSql(stored, type) : stored;
  if (type.kind !== 'scalar') return stored;
  switch (type.name) {
    case 'FLOAT':
    case 'DOUBLE':
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
