import type { LogicalType } from './column.js';

/** A column of a table. */
export interface TableColumn {
  readonly name: string;
  readonly type: LogicalType;
  readonly nullable: boolean;
  /** Which integers of 256 bits it holds; the engine has no such type, its BIGNUM holds them. */
  readonly wideInteger?: 'uint256' | 'int256';
}
