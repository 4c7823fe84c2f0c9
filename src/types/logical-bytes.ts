import { identifier, join, raw, type Sql, sql } from '../duckdb/sql.js';
import type { Column, LogicalType, ScalarName } from './column.js';

/** Bytes of a value of each fixed-width type. Types that are not here count the length of their text or blob. */
const WIDTHS: Partial<Record<ScalarName, number>> = {
  BOOLEAN: 1,
  TINYINT: 1,
  UTINYINT: 1,
  SMALLINT: 2,
  USMALLINT: 2,
  INTEGER: 4,
  UINTEGER: 4,
  FLOAT: 4,
  DATE: 4,
  BIGINT: 8,
  UBIGINT: 8,
  DOUBLE: 8,
  TIME: 8,
  TIME_NS: 8,
  TIMETZ: 8,
  TIMESTAMP: 8,
  TIMESTAMP_S: 8,
  TIMESTAMP_MS: 8,
  TIMESTAMP_NS: 8,
  TIMESTAMPTZ: 8,
  HUGEINT: 16,
  UHUGEINT: 16,
  UUID: 16,
  INTERVAL: 16,
};

/** From here on the engine would need more memory for the size of each text than for a copy of them all. */
const MANY_TEXTS = 64;

/** Bytes of every value of this type that is not NULL, or `undefined` if they differ from value to value. */
export function fixedWidthBytes(type: LogicalType): number | undefined {
  if (type.kind === 'decimal') return decimalBytes(type.precision);
  return type.kind === 'scalar' ? WIDTHS[type.name] : undefined;
}

function decimalBytes(precision: number): number {
  if (precision <= 4) return 2;
  if (precision <= 9) return 4;
  return precision <= 18 ? 8 : 16;
}

/** SQL for the logical size of a row, BIGINT: the width of fixed-width values, the UTF-8 length of text, 0 for NULL. */
export function logicalBytesSql(columns: readonly Column[]): Sql {
  const texts = columns.filter(isText);
  if (texts.length <= MANY_TEXTS) return sql`CAST(${sumSql(columns.map(columnBytesSql))} AS BIGINT)`;
  const others = columns.filter((column) => !isText(column)).map(columnBytesSql);
  return sql`CAST(${sumSql([...others, ...togetherSql(texts)])} AS BIGINT)`;
}

/** The sizes of texts put together, some at a time: NULL adds nothing. */
function togetherSql(texts: readonly Column[]): Sql[] {
  const groups: Sql[] = [];
  for (let index = 0; index < texts.length; index += MANY_TEXTS) {
    const names = texts.slice(index, index + MANY_TEXTS).map(({ name }) => identifier(name));
    groups.push(sql`strlen(concat(${join(names, ', ')}))`);
  }
  return groups;
}

/** SQL for the logical size of one column's value, 0 for NULL. */
export function columnBytesSql({ name, type, storedAs }: Column): Sql {
  const stored = identifier(name);
  const width = fixedWidthBytes(type);
  if (width !== undefined) return sql`CASE WHEN ${stored} IS NULL THEN 0 ELSE ${raw(String(width))} END`;
  return isBlob({ type, storedAs }) ? sql`coalesce(octet_length(${stored}), 0)` : sql`coalesce(strlen(${stored}), 0)`;
}

function isBlob({ type, storedAs }: Pick<Column, 'type' | 'storedAs'>): boolean {
  return storedAs === 'same' && type.kind === 'scalar' && type.name === 'BLOB';
}

/** Whether a column is stored as text and its size is that of the text. */
function isText(column: Column): boolean {
  return fixedWidthBytes(column.type) === undefined && !isBlob(column);
}

/** A balanced tree: the engine's binder is slow on, and limits, expressions as deep as a row can have columns. */
function sumSql(terms: readonly Sql[]): Sql {
  const [first, second] = terms;
  if (first === undefined) return raw('0');
  if (second === undefined) return first;
  const middle = terms.length >> 1;
  return sql`(${sumSql(terms.slice(0, middle))} + ${sumSql(terms.slice(middle))})`;
}
