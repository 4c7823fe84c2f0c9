import { quoted, raw, type Sql, sql } from '../duckdb/sql.js';
import type { ScalarName } from './column.js';
import type { ScalarType } from './nested-type.js';

/**
 * SQL for the wire text of a scalar engine value (`interface.md`, section 4): what CSV prints and what a JSON string
 * holds, without quotes. NULL stays NULL.
 */
export function scalarTextSql(value: Sql, type: ScalarType): Sql {
  if (type.kind === 'decimal') return decimalTextSql(value, type.precision === type.scale);
  switch (type.name) {
    case 'FLOAT':
    case 'DOUBLE':
      // Faster than a cast to VARCHAR, and spells NaN and the infinities as the wire does.
      return sql`CAST(to_json(${jsonNumberSql(value, type.name)}) AS VARCHAR)`;
    case 'BLOB':
      return sql`'0x' || lower(hex(${value}))`;
    case 'TIMETZ':
      return timetzTextSql(value);
    case 'TIMESTAMP':
    case 'TIMESTAMP_S':
    case 'TIMESTAMP_MS':
    case 'TIMESTAMP_NS':
    case 'TIMESTAMPTZ':
      return timestampTextSql(value, type.name);
    case 'JSON':
      return compactJsonSql(sql`CAST(${value} AS VARCHAR)`);
    case 'VARIANT':
      // Cast to JSON, a NULL would be the document `null`.
      return sql`CASE WHEN ${value} IS NOT NULL THEN ${compactJsonSql(sql`CAST(CAST(${value} AS JSON) AS VARCHAR)`)} END`;
    default:
      return sql`CAST(${value} AS VARCHAR)`;
  }
}

/** SQL for a FLOAT or DOUBLE as `to_json` has to get it to print the shortest number that reads back the same. */
export function jsonNumberSql(value: Sql, name: 'FLOAT' | 'DOUBLE'): Sql {
  // Widened to a double, a FLOAT's 0.1 would be 0.10000000149011612; by way of its own text it is 0.1.
  return name === 'FLOAT' ? sql`CAST(CAST(${value} AS VARCHAR) AS DOUBLE)` : value;
}

/** The engine prints a DECIMAL that has no integer digits as `.05`. */
function decimalTextSql(value: Sql, isFractionOnly: boolean): Sql {
  const text = sql`CAST(${value} AS VARCHAR)`;
  return isFractionOnly ? sql`replace(${text}, '.', '0.')` : text;
}

/** The engine prints an offset of 5 hours, 0 minutes and 7 seconds as `+05:07`. */
function timetzTextSql(value: Sql): Sql {
  const text = sql`CAST(${value} AS VARCHAR)`;
  return sql`CASE
    WHEN abs(date_part('timezone', ${value})) % 3600 BETWEEN 1 AND 59
    THEN left(${text}, -3) || ':00' || right(${text}, 3)
    ELSE ${text}
  END`;
}

type TimestampName = Extract<ScalarName, `TIMESTAMP${string}`>;

/**
 * The engine prints the fraction without its trailing zeros; the wire wants three digits at least. Infinite values have
 * neither fraction nor zone. The cases stand in the order in which they are likely.
 */
function timestampTextSql(value: Sql, name: TimestampName): Sql {
  const [elapsed, second] =
    name === 'TIMESTAMP_NS'
      ? [sql`CASE WHEN isfinite(${value}) THEN epoch_ns(${value}) END`, 1_000_000_000]
      : [sql`epoch_us(${value})`, 1_000_000];
  const rest = (unit: number) => sql`${elapsed} % ${raw(String(unit))}`;
  return sql`CAST(${utcSql(value, name)} AS VARCHAR) || CASE
    WHEN ${rest(second / 100)} <> 0 THEN ' UTC'
    WHEN ${rest(second)} = 0 THEN '.000 UTC'
    WHEN ${rest(second / 10)} = 0 THEN '00 UTC'
    WHEN ${rest(second / 100)} = 0 THEN '0 UTC'
    ELSE ''
  END`;
}

/** The same instant as a TIMESTAMP in UTC, whatever the session's time zone. */
function utcSql(value: Sql, name: TimestampName): Sql {
  if (name !== 'TIMESTAMPTZ') return value;
  return sql`CASE
    WHEN isfinite(${value}) THEN make_timestamp(epoch_us(${value}))
    WHEN ${value} > TIMESTAMPTZ 'epoch' THEN TIMESTAMP 'infinity'
    WHEN ${value} < TIMESTAMPTZ 'epoch' THEN TIMESTAMP '-infinity'
  END`;
}

const STRING_OR_SPACE = quoted('("(?:[^"\\\\]|\\\\.)*")|[ \\t\\r\\n]+');
const STRING_OR_NON_FINITE = quoted('"((?:[^"\\\\]|\\\\.)*)"|(-?(?i:nan|inf(?:inity)?))');

/** JSON text on one line, with every token as it was written: `json()` would round long numbers. */
function compactJsonSql(text: Sql): Sql {
  const compact = sql`CASE
    WHEN regexp_matches(${text}, '[ \\t\\r\\n]') THEN regexp_replace(${text}, ${STRING_OR_SPACE}, '\\1', 'g')
    ELSE ${text}
  END`;
  return sql`CASE WHEN regexp_matches(${text}, '(?i)nan|inf') THEN ${quoteNonFiniteSql(compact)} ELSE ${compact} END`;
}

/** SQL that makes the engine's own extension of JSON valid: a bare `NaN` or `Infinity` becomes a string. */
export function quoteNonFiniteSql(json: Sql): Sql {
  return sql`regexp_replace(${json}, ${STRING_OR_NON_FINITE}, '"\\1\\2"', 'g')`;
}
