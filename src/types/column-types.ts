import type { ScalarName } from './column.js';
import type { TableColumn } from './table-column.js';
import { toWireTypeName } from './wire-type-name.js';

/** The column types that a client can ask for (`interface.md`, section 6). */
export const COLUMN_TYPES = [
  'varchar',
  'varbinary',
  'uint256',
  'int256',
  'bigint',
  'integer',
  'double',
  'boolean',
  'timestamp',
  'date',
] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

const ENGINE_NAMES: Readonly<Record<ColumnType, ScalarName>> = {
  varchar: 'VARCHAR',
  varbinary: 'BLOB',
  uint256: 'BIGNUM',
  int256: 'BIGNUM',
  bigint: 'BIGINT',
  integer: 'INTEGER',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  timestamp: 'TIMESTAMP',
  date: 'DATE',
};

/** The column that a client asks for. */
export function toTableColumn(name: string, type: ColumnType, nullable: boolean): TableColumn {
  const column = { name, type: { kind: 'scalar', name: ENGINE_NAMES[type] }, nullable } as const;
  return type === 'uint256' || type === 'int256' ? { ...column, wideInteger: type } : column;
}

/** The name of a column's type on the wire. */
export function toColumnTypeName({ type, wideInteger }: TableColumn): string {
  return wideInteger ?? toWireTypeName(type);
}
