import { identifier, join, quoted, raw, type Sql, sql } from '../../../duckdb/sql.js';
import { isNested, type LogicalType } from '../../../types/column.js';
import { toStoredSql } from '../../../types/storage-encoding.js';
import type { TableColumn } from '../../../types/table-column.js';
import { recordOf } from '../../../types/type-of.js';

/** A column of a text, as a reader of texts needs it. */
export interface SourceColumn {
  readonly name: string;
  readonly type: LogicalType;
}

/** SQL for the struct of names and types that a reader of texts needs. */
export function sourceColumnsSql(columns: readonly SourceColumn[]): Sql {
  const fields = columns.map(({ name, type }) => sql`${identifier(name)}: ${quoted(readTypeName(type))}`);
  return sql`{${join(fields, ', ')}}`;
}

/** SQL for the select list of a part: each column from its source, or NULL if it has none. */
export function partColumnsSql(
  columns: readonly TableColumn[],
  sourceOf: (column: TableColumn) => string | undefined,
): Sql {
  const parts = columns.map((column) => {
    const source = sourceOf(column);
    const text = source === undefined ? sql`CAST(NULL AS ${raw(readTypeName(column.type))})` : identifier(source);
    const value = toStoredSql(fromReadSql(text, column.type), column.type, recordOf(column.type).storage);
    return sql`${value} AS ${identifier(column.name)}`;
  });
  return join(parts, ', ');
}

/** The type that a reader of texts reads a value as. */
export function readTypeName(type: LogicalType): string {
  if (isNested(type)) throw new Error('A text has no nested columns');
  return type.kind === 'decimal' || recordOf(type).upload?.fromText ? 'VARCHAR' : type.name;
}

/** SQL for the value of a column from what the reader made of it. */
export function fromReadSql(source: Sql, type: LogicalType): Sql {
  return recordOf(type).upload?.fromText?.(source) ?? source;
}

/** Reading smaller objects is no quicker. */
const MIN_OBJECT_BYTES = 2 ** 20;
/** An object may not be quite as large as it is allowed to be. */
const OBJECT_MARGIN_BYTES = 2 ** 16;

/**
 * An option of the reader of NDJSON. It reads two of the largest objects at once: if they are much
 * larger than those that there are, one thread reads all.
 */
export function maxObjectSize(longestLineBytes: number): Sql {
  const bytes = Math.max(MIN_OBJECT_BYTES, longestLineBytes + OBJECT_MARGIN_BYTES);
  return sql`maximum_object_size = ${raw(String(bytes))}`;
}
