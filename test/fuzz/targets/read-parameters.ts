import { deepStrictEqual, match } from 'node:assert';
import { DomainError } from '../../../src/http/domain-error.js';
import { bindFilter } from '../../../src/read-plan/bind-filter.js';
import { columnFinder } from '../../../src/read-plan/column-finder.js';
import { filterToSql } from '../../../src/read-plan/filter-to-sql.js';
import { parseColumns } from '../../../src/read-plan/parse-columns.js';
import { parseFilter } from '../../../src/read-plan/parse-filter.js';
import { parseSortBy } from '../../../src/read-plan/parse-sort-by.js';
import type { ScalarName } from '../../../src/types/scalar-types.js';
import { scalarColumn } from '../../support/column.js';
import { quoteName, writeFilter } from '../../support/write-filter.js';
import type { FuzzTarget } from '../fuzz.js';
import { shapeOf, toRefusal } from '../refusal.js';

const TYPES: Readonly<Record<string, ScalarName>> = {
  size: 'INTEGER',
  price: 'DOUBLE',
  name: 'VARCHAR',
  day: 'DATE',
  at: 'TIMESTAMP',
  'odd "name"': 'BOOLEAN',
};
const COLUMNS = Object.entries(TYPES).map(([name, type]) => scalarColumn(name, type));

/**
 * All that the SQL of a filter may hold beside quoted names: no character of a request is among it.
 */
const SQL_SYNTAX = /^(?:[\s()?,]|CAST|AS|[A-Z_]+|<>|<=|>=|[<>=])*$/;

/**
 * Calls a parser of a text. An error must be one for the caller, with an offset within the text if
 * it has one.
 */
function attempt<T>(text: string, parse: () => T): T | DomainError {
  try {
    return parse();
  } catch (error) {
    const refusal = toRefusal(error);
    const { offset = 0 } = refusal;
    if (offset < 0 || offset > text.length) throw new Error(`offset ${offset} of ${text.length}`, { cause: error });
    return refusal;
  }
}

/**
 * `filters`: what parses is written, parsed again to the same, bound, and compiled to SQL without a
 * character of it.
 */
export const FILTERS: FuzzTarget = {
  name: 'filters',
  runs: 4_000,
  seeds: [
    `size >= 10 AND name IN ('a', 'it''s') OR ("odd ""name""" = true AND price < -1.5e3)`,
    `name ILIKE 'a%' and day = '2024-02-29' or at > '2024-02-29 12:00:00' and name is null`,
    'size = 0xC0FFEE AND ((price <> 5.5))',
  ],
  words: [
    'AND',
    ' or ',
    'IN (',
    'IS NULL',
    'like',
    "''",
    '""',
    '\\"',
    '(',
    ')',
    '1e400',
    '0x',
    'size',
    'é',
    '😀',
    '\ud800',
  ],
  check(input) {
    const text = input.toString();
    const parsed = attempt(text, () => parseFilter(text));
    if (parsed instanceof DomainError) return shapeOf(parsed);
    const written = writeFilter(parsed);
    deepStrictEqual(
      attempt(written, () => parseFilter(written)),
      parsed,
    );
    const bound = attempt(text, () => bindFilter(parsed, columnFinder(COLUMNS)));
    if (bound instanceof DomainError) return shapeOf(bound);
    const sql = filterToSql(bound);
    match(sql.text.replace(/"(?:[^"]|"")*"/g, ''), SQL_SYNTAX);
    deepStrictEqual(sql.text.split('?').length, sql.values.length + 1);
    return sql.text.slice(0, 200);
  },
};

/** `sort_by`: what parses is written and parsed again to the same. */
export const SORT_BY: FuzzTarget = {
  name: 'sort_by',
  runs: 4_000,
  seeds: ['size', 'size desc, "odd ""name""" ASC,name', '"a\\"b" DESC'],
  words: [',', ' asc', ' DESC', ' nulls last', '"', '""', '\\"', '\t', 'é', '😀'],
  check(input) {
    const text = input.toString();
    const parsed = attempt(text, () => parseSortBy(text));
    if (parsed instanceof DomainError) return shapeOf(parsed);
    const written = parsed.map(({ column, direction }) => `${quoteName(column)} ${direction}`).join(',');
    deepStrictEqual(
      attempt(written, () => parseSortBy(written)),
      parsed,
    );
    return `${parsed.length} keys, ${parsed.filter(({ direction }) => direction === 'DESC').length} descending`;
  },
};

/** `columns`: what parses is written and parsed again to the same. */
export const COLUMN_LIST: FuzzTarget = {
  name: 'columns',
  runs: 4_000,
  seeds: ['size', ' size , "odd ""name""",name with spaces', '"a\\"b"'],
  words: [',', '"', '""', '\\"', '\t', 'é', '😀', ' '],
  check(input) {
    const text = input.toString();
    const parsed = attempt(text, () => parseColumns(text));
    if (parsed instanceof DomainError) return shapeOf(parsed);
    const written = parsed.map(quoteName).join(',');
    deepStrictEqual(
      attempt(written, () => parseColumns(written)),
      parsed,
    );
    return `${parsed.length} columns`;
  },
};
