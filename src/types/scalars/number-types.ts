import { sql } from '../../duckdb/sql.js';
import { BIGNUM_PARSER, integerParser } from '../literals/exact-number-parser.js';
import { floatingNumberParser } from '../literals/floating-number-parser.js';
import { BOOLEAN_PARSER } from '../literals/text-parsers.js';
import type { TypeRecord } from '../type-record.js';
import { doubleTextSql, floatToDoubleSql } from '../value-text.js';

const MAX_FLOAT = 3.4028234663852886e38;

/** What most of these types have in common. */
const NUMBER = { storage: 'same', text: 'engine', csvQuotes: 'never', upload: null } as const;

/** BOOLEAN and the numbers; for DECIMAL see `type-of.ts`. */
export const NUMBER_TYPES = {
  BOOLEAN: {
    ...NUMBER,
    wireName: 'boolean',
    json: 'bare',
    bytes: 1,
    literals: BOOLEAN_PARSER,
    upload: { rule: 'boolean', inferredFrom: 'texts' },
  },
  TINYINT: signed('TINYINT', 'tinyint', 8),
  SMALLINT: signed('SMALLINT', 'smallint', 16),
  INTEGER: { ...signed('INTEGER', 'integer', 32), upload: { rule: 'int32', inferredFrom: null } },
  BIGINT: { ...signed('BIGINT', 'bigint', 64), upload: { rule: 'int64', inferredFrom: 'texts' } },
  HUGEINT: signed('HUGEINT', 'hugeint', 128),
  UTINYINT: unsigned('UTINYINT', 'smallint', 8),
  USMALLINT: unsigned('USMALLINT', 'integer', 16),
  UINTEGER: unsigned('UINTEGER', 'bigint', 32),
  UBIGINT: unsigned('UBIGINT', 'decimal(20, 0)', 64),
  UHUGEINT: unsigned('UHUGEINT', 'uint256', 128),
  BIGNUM: {
    ...NUMBER,
    wireName: 'int256',
    storage: 'text',
    json: 'bare_inside',
    bytes: 'text',
    literals: BIGNUM_PARSER,
    upload: { rule: 'int256', inferredFrom: null, fromText: (text) => sql`CAST(${text} AS BIGNUM)` },
  },
  FLOAT: {
    ...NUMBER,
    wireName: 'real',
    text: (value) => doubleTextSql(floatToDoubleSql(value)),
    json: 'float',
    bytes: 4,
    literals: floatingNumberParser('FLOAT', Math.fround, MAX_FLOAT),
  },
  DOUBLE: {
    ...NUMBER,
    wireName: 'double',
    text: doubleTextSql,
    json: 'double',
    bytes: 8,
    literals: floatingNumberParser('DOUBLE', (value) => value, Number.MAX_VALUE),
    upload: { rule: 'double', inferredFrom: 'texts' },
  },
} satisfies Record<string, TypeRecord>;

function signed(name: string, wireName: string, bits: number): TypeRecord {
  return integer(name, wireName, bits, true);
}

function unsigned(name: string, wireName: string, bits: number): TypeRecord {
  return integer(name, wireName, bits, false);
}

/** Of 128 bits, Parquet would make a DOUBLE. */
function integer(name: string, wireName: string, bits: number, isSigned: boolean): TypeRecord {
  return {
    ...NUMBER,
    wireName,
    storage: bits > 64 ? 'decimal' : 'same',
    json: bits < 64 ? 'bare' : 'wide_integer',
    bytes: bits / 8,
    literals: integerParser(name, bits, isSigned),
  };
}
