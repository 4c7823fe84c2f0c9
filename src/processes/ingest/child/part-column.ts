import { identifier, join, quoted, raw, type Sql, sql } from '../../../duckdb/sql.js';
import type { LogicalType } from '../../../types/column.js';
import { storedForm, toStoredSql } from '../../../types/stored-form.js';
import type { TableColumn } from '../../../types/table-column.js';

/** A column of a text, as a reader of texts is told of it. */
export interface SourceColumn {
  readonly name: string;
  readonly type: LogicalType;
}

/** SQL for the struct that tells a reader of texts names and types. */
export function sourceColumnsSql(columns: readonly SourceColumn[]): Sql {
  const fields = columns.map(({ name, type }) => sql`${identifier(name)}: ${quoted(readTypeName(type))}`);
  return sql`{${join(fields, ', ')}}`;
}

/** SQL for the select list of a part: each column from the source of that name, or NULL where the text has none. */
export function partColumnsSql(
  columns: readonly TableColumn[],
  sourceOf: (column: TableColumn) => string | undefined,
): Sql {
  const parts = columns.map((column) => {
    const source = sourceOf(column);
    const text = source === undefined ? sql`CAST(NULL AS ${raw(readTypeName(column.type))})` : identifier(source);
    const value = toStoredSql(fromReadSql(text, column.type), column.type, storedForm(column.type));
    return sql`${value} AS ${identifier(column.name)}`;
  });
  return join(parts, ', ');
}

/**
 * The type that a reader of texts takes a value for. It knows no bytes like `0x00ff` and no integers of more than 128 bits, and would make
 * a double of a decimal number in JSON.
 */
export function readTypeName(type: LogicalType): string {
  if (type.kind === 'decimal') return 'VARCHAR';
  if (type.kind !== 'scalar') throw new Error('A text has no nested columns');
  return type.name === 'BLOB' || type.name === 'BIGNUM' ? 'VARCHAR' : type.name;
}

/** SQL for the value of a column from what the reader made of it. */
export function fromReadSql(source: Sql, type: LogicalType): Sql {
  if (type.kind === 'decimal') return sql`CAST(${source} AS DECIMAL(${raw(`${type.precision}, ${type.scale}`)}))`;
  if (type.kind !== 'scalar') return source;
  if (type.name === 'BLOB') return sql`from_hex(substr(${source}, 3))`;
  return type.name === 'BIGNUM' ? sql`CAST(${source} AS BIGNUM)` : source;
}
