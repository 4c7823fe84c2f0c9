import type { ResultColumn } from '../../../duckdb/connection/connection.js';
import type { LogicalType, StoredForm } from '../../../types/column.js';
import { storedForm } from '../../../types/stored-form.js';
import { uniqueNames } from './unique-names.js';

/** A column on its way into the result file. */
export interface PlannedColumn {
  readonly name: string;
  readonly type: LogicalType;
  readonly storedAs: StoredForm;
}

/** Gives the columns of a statement the names and the form in which they are stored. */
export function planColumns(columns: readonly ResultColumn[]): PlannedColumn[] {
  const names = uniqueNames(columns.map(({ name }) => name));
  return columns.map(({ type }, index) => ({ name: names[index] ?? '', type, storedAs: storedForm(type) }));
}

/** The same columns, without a form that a value of the result may be too large for. */
export function withoutDecimals(columns: readonly PlannedColumn[]): PlannedColumn[] {
  return columns.map((column) => (column.storedAs === 'decimal' ? { ...column, storedAs: 'text' } : column));
}
