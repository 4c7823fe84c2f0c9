import type { LogicalType, ScalarName } from './column.js';
import { quoted, raw, type Sql, sql } from './sql.js';

type ScalarType = Extract<LogicalType, { kind: 'scalar' | 'decimal' }>;

/**
 * SQL for the wire text of a scalar engine value (`interface.md`, section 4): what CSV prints and what a JSON string
 * holds, without quotes. NULL stays NULL.
 */
export function scalarTextSql(value: Sql, type: ScalarType): Sql {
  if (type.kind === 'decimal') return decimalTextSql(value, type.precision === type.scale);
  switch (type.name) {
    case 'FLOAT':
    case 'DOUBLE':
      return sql`CASE WHEN isfinite(${value}) THEN ${finiteTextSql(value, type.name)} ELSE ${nonFiniteTextSql(value)} END`;
    case 'BLOB':
      return sql`'0x' || lower(hex(${value}))`;
    case 'TIMESTAMP':
    case 'TIMESTAMP_S':
    case 'TIMESTAMP_MS':
    case 'TIMESTAMP_NS':
    case 'TIMESTAMPTZ':
      return timestampTextSql(value, type.name);
    case 'JSON':
      return compactJsonSql(value);
    case 'VARIANT':
      return compactJsonSql(sql`CAST(${value} AS JSON)`);
    default:
      return sql`CAST(${value} AS VARCHAR)`;
  }
}

/** SQL for the JSON number of a finite FLOAT or DOUBLE: the shortest that reads back as the same value. */
export function finiteNumberSql(value: Sql, name: 'FLOAT' | 'DOUBLE'): Sql {
  // As a double, a FLOAT's 0.1 is 0.10000000149011612; its own text is the shortest.
  return name === 'FLOAT' ? sql`CAST(CAST(${value} AS VARCHAR) AS DOUBLE)` : value;
}

/** SQL for `NaN`, `Infinity` or `-Infinity`; NULL for any other value. */
export function nonFiniteTextSql(value: Sql): Sql {
  return sql`CASE WHEN isnan(${value}) THEN 'NaN' WHEN isfinite(${value}) THEN NULL WHEN ${value} > 0 THEN 'Infinity' WHEN ${value} < 0 THEN '-Infinity' END`;
}

function finiteTextSql(value: Sql, name: 'FLOAT' | 'DOUBLE'): Sql {
  return sql`CAST(to_json(${finiteNumberSql(value, name)}) AS VARCHAR)`;
}

/** The engine prints a DECIMAL without integer digits as `.05`. */
function decimalTextSql(value: Sql, isFractionOnly: boolean): Sql {
  const text = sql`CAST(${value} AS VARCHAR)`;
  return isFractionOnly ? sql`replace(${text}, '.', '0.')` : text;
}

type TimestampName = Extract<ScalarName, `TIMESTAMP${string}`>;

/**
 * The engine prints as many fraction digits as there are up to the last that is not zero; the wire wants three at
 * least. Infinite values have neither fraction nor zone.
 */
function timestampTextSql(value: Sql, name: TimestampName): Sql {
  const isNanoseconds = name === 'TIMESTAMP_NS';
  const sinceEpoch = isNanoseconds ? sql`epoch_ns(${value})` : sql`epoch_us(${value})`;
  const second = isNanoseconds ? 1_000_000_000 : 1_000_000;
  const isWhole = (unit: number) => sql`${sinceEpoch} % ${raw(String(unit))} = 0`;
  const suffix = sql`CASE WHEN NOT isfinite(${value}) THEN '' WHEN ${isWhole(second)} THEN '.000 UTC' WHEN ${isWhole(second / 10)} THEN '00 UTC' WHEN ${isWhole(second / 100)} THEN '0 UTC' ELSE ' UTC' END`;
  return sql`CAST(${utcSql(value, name)} AS VARCHAR) || ${suffix}`;
}

/** The same instant as a TIMESTAMP in UTC, whatever the session's time zone. */
function utcSql(value: Sql, name: TimestampName): Sql {
  if (name !== 'TIMESTAMPTZ') return value;
  return sql`CASE WHEN isfinite(${value}) THEN make_timestamp(epoch_us(${value})) WHEN ${value} > TIMESTAMPTZ 'epoch' THEN TIMESTAMP 'infinity' WHEN ${value} < TIMESTAMPTZ 'epoch' THEN TIMESTAMP '-infinity' END`;
}

const STRING_OR_SPACE = quoted('("(?:[^"\\\\]|\\\\.)*")|[ \\t\\r\\n]+');
const STRING_OR_NON_FINITE = quoted('"((?:[^"\\\\]|\\\\.)*)"|(-?(?i:nan|inf(?:inity)?))');

/**
 * JSON text on one line, with every token as it was written: `json()` would round long numbers. The engine's own
 * extension of JSON, a bare `NaN` or `Infinity`, becomes a string.
 */
function compactJsonSql(value: Sql): Sql {
  const text = sql`CAST(${value} AS VARCHAR)`;
  const compact = sql`CASE WHEN regexp_matches(${text}, '[ \\t\\r\\n]') THEN regexp_replace(${text}, ${STRING_OR_SPACE}, '\\1', 'g') ELSE ${text} END`;
  return sql`CASE WHEN regexp_matches(${text}, '(?i)nan|inf') THEN regexp_replace(${compact}, ${STRING_OR_NON_FINITE}, '"\\1\\2"', 'g') ELSE ${compact} END`;
}
