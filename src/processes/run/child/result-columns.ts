import type { ResultColumn } from '../../../duckdb/connection/connection.js';
import type { LogicalType } from '../../../types/column.js';
import { recordOf } from '../../../types/type-of.js';
import type { StorageEncoding } from '../../../types/type-record.js';
import { uniqueNames } from './unique-names.js';

/** A column on its way into the result file. */
export interface PlannedColumn {
  readonly name: string;
  readonly type: LogicalType;
  readonly storedAs: StorageEncoding;
}

/** Gives the columns of a statement the names and the form in which they are stored. */
export function planColumns(columns: readonly ResultColumn[]): PlannedColumn[] {
  const names = uniqueNames(columns.map(({ name }) => name));
  return columns.map(({ type }, index) => ({ name: names[index] ?? '', type, storedAs: recordOf(type).storage }));
}

/** The same columns, without a form that a value of the result may be too large for. */
export function withoutDecimals(columns: readonly PlannedColumn[]): PlannedColumn[] {
  return columns.map((column) => (column.storedAs === 'decimal' ? { ...column, storedAs: 'text' } : column));
}
