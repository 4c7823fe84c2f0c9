import type { Sql } from '../duckdb/sql.js';
import type { LiteralParser } from './literals/literal.js';

/**
 * How the Parquet file holds a column:
 * - `same`: Parquet keeps the type and the value;
 * - `decimal`: a 128-bit integer kept as DECIMAL(38, 0);
 * - `text`: the wire text itself (types that Parquet would change, nested types as compact JSON).
 */
export type StorageEncoding = 'same' | 'decimal' | 'text';

/**
 * How JSON prints the values of a column, and the same values inside a nested value:
 * - `bare`: as `to_json` prints them, numbers and booleans;
 * - `wide_integer`: a number if all values of the column are safe, else a string; inside, a number;
 * - `float`, `double`: a number, or a string for NaN and infinities;
 * - `decimal`, `whole_decimal`: a number; inside, one with all digits of the scale;
 * - `string`: a string;
 * - `bare_inside`: a string; inside, its text without quotes.
 */
export type JsonType =
  | 'bare'
  | 'wide_integer'
  | 'float'
  | 'double'
  | 'decimal'
  | 'whole_decimal'
  | 'string'
  | 'bare_inside';

/** Which rule of `processes/ingest/child/values` the uploaded texts of a column must follow. */
export type UploadRule =
  | 'text'
  | 'bytes'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'int256'
  | 'decimal'
  | 'double'
  | 'date'
  | 'timestamp'
  | 'timestamptz';

/** What is known of a column from its type alone. All nested types share one such record. */
export interface ColumnRecord {
  readonly storage: StorageEncoding;
  readonly json: JsonType;
  /** Whether the stored text may hold what CSV puts in quotes. */
  readonly csvQuotes: 'never' | 'if needed';
  /** Logical size of a value: a number of bytes, or the length of its text or BLOB. */
  readonly bytes: number | 'text' | 'blob';
  /** How its values are compared, and with which literals. */
  readonly literals: LiteralParser;
  readonly upload: UploadRecord | null;
}

/**
 * All facts of a type. **To add a scalar type, add one such record to `scalars/`**: without one of
 * these fields it does not compile, and no other file lists the scalar types.
 * `scalar-types.spec.ts` compares the records with the types of the engine.
 */
export interface TypeRecord extends ColumnRecord {
  /**
   * Name in `column_types` (`docs/contract.md`, "Column types"). A type that clients do not expect
   * has the name of the next one that holds its values, and `varchar` if they are text.
   */
  readonly wireName: string;
  /** The wire text, as CSV prints it and a JSON string holds it: the engine's own, or another. */
  readonly text: 'engine' | ((value: Sql) => Sql);
  /** Name of the type in the engine's interface, if it is not the name of the record. */
  readonly engineId?: string;
  /** Name of the type in a cast, if it is not the name of the record. */
  readonly castName?: string;
  /** What `same` is cast to before it is stored, if Parquet lacks the type. */
  readonly storedAs?: string;
}

/** How uploads and linked text files become values of a type. Null in a record: they never do. */
export interface UploadRecord {
  readonly rule: UploadRule;
  /** Whether columns without a given type can be found to be of it, and from which values. */
  readonly inferredFrom: 'texts' | 'nested values' | null;
  /** Makes the value from its text, if the engine's readers of CSV and JSON do not. */
  readonly fromText?: (text: Sql) => Sql;
}
