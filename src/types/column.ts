/** Types without parts, by DuckDB's own name. */
export type ScalarName =
  | 'BOOLEAN'
  | 'TINYINT'
  | 'SMALLINT'
  | 'INTEGER'
  | 'BIGINT'
  | 'HUGEINT'
  | 'UTINYINT'
  | 'USMALLINT'
  | 'UINTEGER'
  | 'UBIGINT'
  | 'UHUGEINT'
  | 'BIGNUM'
  | 'FLOAT'
  | 'DOUBLE'
  | 'VARCHAR'
  | 'JSON'
  | 'BLOB'
  | 'BIT'
  | 'UUID'
  | 'ENUM'
  | 'DATE'
  | 'TIME'
  | 'TIME_NS'
  | 'TIMETZ'
  | 'TIMESTAMP'
  | 'TIMESTAMP_S'
  | 'TIMESTAMP_MS'
  | 'TIMESTAMP_NS'
  | 'TIMESTAMPTZ'
  | 'INTERVAL'
  | 'VARIANT'
  | 'GEOMETRY'
  | 'NULL';

/** The type that a query's column had in the engine, before it was stored. Plain data: it is kept in the catalog as JSON. */
export type LogicalType =
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
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

/**
 * How the Parquet file holds a column:
 * - `same`: Parquet keeps the type and the value;
 * - `decimal`: a 128-bit integer kept as DECIMAL(38, 0);
 * - `text`: the wire text itself (types that Parquet would change, nested types as compact JSON).
 */
export type StoredForm = 'same' | 'decimal' | 'text';

/** A column of a stored result. */
export interface Column {
  /** Unique in its result without regard to case, never empty. */
  readonly name: string;
  readonly type: LogicalType;
  readonly storedAs: StoredForm;
  /** For 64- and 128-bit integers: true if every value lies within ±(2^53 - 1), so that JSON can print numbers. */
  readonly isSafeInteger: boolean;
  /** For 64- and 128-bit integers that are not all NULL: the least and the greatest. */
  readonly range?: IntegerRange;
}

/** Bounds of integers of any size, as decimal text. */
export interface IntegerRange {
  readonly min: string;
  readonly max: string;
}
