import { quoted, raw, type Sql, sql } from '../duckdb/sql.js';

/** BLOB: `0x00ff`. */
export function blobTextSql(value: Sql): Sql {
  return sql`'0x' || lower(hex(${value}))`;
}

/** FLOAT as a DOUBLE of the same text: cast directly, 0.1 would become 0.10000000149011612. */
export function floatToDoubleSql(value: Sql): Sql {
  return sql`CAST(CAST(${value} AS VARCHAR) AS DOUBLE)`;
}

/** DOUBLE. Faster than a cast to VARCHAR, and spells NaN and the infinities as the wire does. */
export function doubleTextSql(value: Sql): Sql {
  return sql`CAST(to_json(${value}) AS VARCHAR)`;
}

/** DECIMAL without integer digits, which the engine prints as `.05`. */
export function fractionTextSql(value: Sql): Sql {
  return sql`replace(CAST(${value} AS VARCHAR), '.', '0.')`;
}

/** TIMETZ. The engine prints an offset of 5 hours, 0 minutes and 7 seconds as `+05:07`. */
export function timetzTextSql(value: Sql): Sql {
  const text = sql`CAST(${value} AS VARCHAR)`;
  return sql`CASE
    WHEN abs(date_part('timezone', ${value})) % 3600 BETWEEN 1 AND 59
    THEN left(${text}, -3) || ':00' || right(${text}, 3)
    ELSE ${text}
  END`;
}

/** TIMESTAMP, also of seconds or milliseconds. */
export function timestampTextSql(value: Sql): Sql {
  return withFractionSql(value, sql`epoch_us(${value})`, 1_000_000);
}

/** TIMESTAMP_NS. */
export function timestampNsTextSql(value: Sql): Sql {
  return withFractionSql(value, sql`CASE WHEN isfinite(${value}) THEN epoch_ns(${value}) END`, 1_000_000_000);
}

/** TIMESTAMPTZ, as the instant in UTC, whatever the session's time zone. */
export function timestamptzTextSql(value: Sql): Sql {
  const inUtc = sql`CASE
    WHEN isfinite(${value}) THEN make_timestamp(epoch_us(${value}))
    WHEN ${value} > TIMESTAMPTZ 'epoch' THEN TIMESTAMP 'infinity'
    WHEN ${value} < TIMESTAMPTZ 'epoch' THEN TIMESTAMP '-infinity'
  END`;
  return withFractionSql(inUtc, sql`epoch_us(${value})`, 1_000_000);
}

/**
 * The engine prints the fraction without its trailing zeros; the wire has three digits at least.
 * Infinite values have neither fraction nor zone. The most likely cases come first.
 */
function withFractionSql(timestamp: Sql, elapsed: Sql, second: number): Sql {
  const rest = (unit: number) => sql`${elapsed} % ${raw(String(unit))}`;
  return sql`CAST(${timestamp} AS VARCHAR) || CASE
    WHEN ${rest(second / 100)} <> 0 THEN ' UTC'
    WHEN ${rest(second)} = 0 THEN '.000 UTC'
    WHEN ${rest(second / 10)} = 0 THEN '00 UTC'
    WHEN ${rest(second / 100)} = 0 THEN '0 UTC'
    ELSE ''
  END`;
}

/** JSON, compact. */
export function jsonTextSql(value: Sql): Sql {
  return compactJsonSql(sql`CAST(${value} AS VARCHAR)`);
}

/** VARIANT, as compact JSON. Cast to JSON, a NULL would be the document `null`. */
export function variantTextSql(value: Sql): Sql {
  return sql`CASE WHEN ${value} IS NOT NULL THEN ${compactJsonSql(sql`CAST(CAST(${value} AS JSON) AS VARCHAR)`)} END`;
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

/**
 * SQL that makes the engine's own extension of JSON valid: a bare `NaN` or `Infinity` becomes a
 * string.
 */
export function quoteNonFiniteSql(json: Sql): Sql {
  return sql`regexp_replace(${json}, ${STRING_OR_NON_FINITE}, '"\\1\\2"', 'g')`;
}
