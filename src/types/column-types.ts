import type { ScalarName } from './scalar-types.js';
import type { TableColumn } from './table-column.js';
import { toWireTypeName } from './wire-type-name.js';

const SCALAR_NAMES = {
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
} as const satisfies Record<string, ScalarName>;

/** What a client can ask for (`docs/contract.md`, "Column types of new tables"). */
export type ColumnType = keyof typeof SCALAR_NAMES;
export const COLUMN_TYPES = Object.keys(SCALAR_NAMES) as readonly ColumnType[];

/** The column that a client asks for. */
export function toTableColumn(name: string, type: ColumnType, nullable: boolean): TableColumn {
  const column = { name, type: { kind: 'scalar', name: SCALAR_NAMES[type] }, nullable } as const;
  return type === 'uint256' || type === 'int256' ? { ...column, wideInteger: type } : column;
}

/** The name of a column's type on the wire. */
export function toColumnTypeName({ type, wideInteger }: TableColumn): string {
  return wideInteger ?? toWireTypeName(type);
}
