import { identifier, join, raw, type Sql, sql } from '../duckdb/sql.js';
import type { Column, LogicalType } from './column.js';
import { recordOf } from './type-of.js';

/** With more texts, the engine needs more memory for their sizes than for a copy of them all. */
const MANY_TEXTS = 64;

/** Bytes of each value of this type that is not NULL, or nothing if they differ. */
export function fixedWidthBytes(type: LogicalType): number | undefined {
  const { bytes } = recordOf(type);
  return typeof bytes === 'number' ? bytes : undefined;
}

/** SQL for the logical size of a row, BIGINT: width of values, UTF-8 length of text, 0 for NULL. */
export function logicalBytesSql(columns: readonly Column[]): Sql {
  const texts = columns.filter(isText);
  if (texts.length <= MANY_TEXTS) return sql`CAST(${sumSql(columns.map(columnBytesSql))} AS BIGINT)`;
  const others = columns.filter((column) => !isText(column)).map(columnBytesSql);
  return sql`CAST(${sumSql([...others, ...togetherSql(texts)])} AS BIGINT)`;
}

/** The sizes of concatenated texts, {@link MANY_TEXTS} at a time: NULL adds nothing. */
function togetherSql(texts: readonly Column[]): Sql[] {
  const groups: Sql[] = [];
  for (let index = 0; index < texts.length; index += MANY_TEXTS) {
    const names = texts.slice(index, index + MANY_TEXTS).map(({ name }) => identifier(name));
    groups.push(sql`strlen(concat(${join(names, ', ')}))`);
  }
  return groups;
}

/** SQL for the logical size of one column's value, 0 for NULL. */
function columnBytesSql({ name, type }: Column): Sql {
  const stored = identifier(name);
  const { bytes } = recordOf(type);
  if (bytes === 'text') return sql`coalesce(strlen(${stored}), 0)`;
  if (bytes === 'blob') return sql`coalesce(octet_length(${stored}), 0)`;
  return sql`CASE WHEN ${stored} IS NULL THEN 0 ELSE ${raw(String(bytes))} END`;
}

/** Whether a column's size is that of its stored text. */
function isText({ type }: Column): boolean {
  return recordOf(type).bytes === 'text';
}

/** A balanced tree: the engine limits the depth of expressions, and binds deep ones slowly. */
function sumSql(terms: readonly Sql[]): Sql {
  const [first, second] = terms;
  if (first === undefined) return raw('0');
  if (second === undefined) return first;
  const middle = terms.length >> 1;
  return sql`(${sumSql(terms.slice(0, middle))} + ${sumSql(terms.slice(middle))})`;
}
