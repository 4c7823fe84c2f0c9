import type { LogicalType } from '../duckdb/column.js';

/** A column of a table. */
export interface TableColumn {
  readonly name: string;
  readonly type: LogicalType;
  readonly nullable: boolean;
}
