import type { ScalarName } from './scalar-types.js';
import type { StorageEncoding } from './type-record.js';

/**
 * The type that a query's column had in the engine, before it was stored. Plain data: it is kept in
 * the catalog as JSON.
 */
export type LogicalType = ScalarType | NestedType;

/** A type whose values have no parts; `type-of.ts` has its record. */
export type ScalarType =
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number };

/** A type whose values have parts; results hold them as JSON text. */
export type NestedType =
  /** LIST and fixed-size ARRAY. */
  | { readonly kind: 'list'; readonly element: LogicalType }
  | { readonly kind: 'struct'; readonly fields: readonly NamedType[] }
  | { readonly kind: 'map'; readonly key: LogicalType; readonly value: LogicalType }
  | { readonly kind: 'union'; readonly members: readonly NamedType[] };

/** A field of a struct, a member of a union, or a column of which nothing else counts. */
export interface NamedType {
  readonly name: string;
  readonly type: LogicalType;
}

/** Whether a type's values have parts. */
export function isNested(type: LogicalType): type is NestedType {
  return type.kind !== 'scalar' && type.kind !== 'decimal';
}

/** A column of a stored result. */
export interface Column {
  /** Unique in its result without regard to case, never empty. */
  readonly name: string;
  readonly type: LogicalType;
  readonly storedAs: StorageEncoding;
  /**
   * For 64- and 128-bit integers: true if every value is within ±(2^53 - 1), so that JSON can print
   * numbers.
   */
  readonly isSafeInteger: boolean;
  /** For 64- and 128-bit integers that are not all NULL: the least and the greatest. */
  readonly range?: IntegerRange;
}

/** Bounds of integers of any size, as decimal text. */
export interface IntegerRange {
  readonly min: string;
  readonly max: string;
}
