import { raw, sql } from '../duckdb/sql.js';
import { isNested, type LogicalType, type ScalarType } from './column.js';
import { decimalParser } from './literals/exact-number-parser.js';
import { TEXT_PARSER } from './literals/text-parsers.js';
import { SCALAR_TYPES } from './scalar-types.js';
import type { ColumnRecord, JsonType, TypeRecord } from './type-record.js';
import { fractionTextSql } from './value-text.js';

/** LIST, ARRAY, STRUCT, MAP and UNION are stored, compared and printed as compact JSON. */
const NESTED: ColumnRecord = {
  storage: 'text',
  json: 'string',
  csvQuotes: 'if needed',
  bytes: 'text',
  literals: TEXT_PARSER,
  upload: null,
};

/** What is known of a column of this type. */
export function recordOf(type: LogicalType): ColumnRecord {
  return isNested(type) ? NESTED : scalarRecord(type);
}

/** @throws {Error} for a type of the catalog that this version does not know. */
export function scalarRecord(type: ScalarType): TypeRecord {
  if (type.kind === 'decimal') return decimalRecord(type.precision, type.scale);
  const record: TypeRecord | undefined = SCALAR_TYPES[type.name];
  if (record) return record;
  throw new Error(`The column type ${type.name} is unknown. Run the version of Eider that stored it.`);
}

/** Whether JSON prints NaN and the infinities of the type as strings. */
export function isFloat({ json }: ColumnRecord): boolean {
  return json === 'float' || json === 'double';
}

/** JSON prints every DECIMAL of so many digits as a number without loss. */
const MAX_NUMBER_DIGITS = 15;

function decimalRecord(precision: number, scale: number): TypeRecord {
  const castName = `DECIMAL(${precision}, ${scale})`;
  return {
    wireName: `decimal(${precision}, ${scale})`,
    storage: 'same',
    text: precision === scale ? fractionTextSql : 'engine',
    json: decimalJson(precision, scale),
    csvQuotes: 'never',
    bytes: decimalBytes(precision),
    literals: decimalParser(precision, scale),
    castName,
    // Read as a number of JSON, it would pass through a DOUBLE.
    upload: { rule: 'decimal', inferredFrom: 'texts', fromText: (text) => sql`CAST(${text} AS ${raw(castName)})` },
  };
}

function decimalJson(precision: number, scale: number): JsonType {
  if (precision > MAX_NUMBER_DIGITS) return 'bare_inside';
  return scale === 0 ? 'whole_decimal' : 'decimal';
}

function decimalBytes(precision: number): number {
  if (precision <= 4) return 2;
  if (precision <= 9) return 4;
  return precision <= 18 ? 8 : 16;
}
