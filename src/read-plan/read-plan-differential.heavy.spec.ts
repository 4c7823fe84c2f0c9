import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StoredResult } from '../../test/support/stored-result.js';
import { quoteName, quoteText, writeFilter } from '../../test/support/write-filter.js';
import type { Literal } from '../types/literals/literal.js';
import { parseFilter } from './parse-filter.js';
import type { Filter, SortKey } from './read-plan.js';

type Value = number | string | boolean | null;
type Row = Readonly<Record<string, Value>>;

const NUMBERS = [-1, 0, 0.5, 1, 1.25, 2];
const WORDS = ['', 'a', 'B', 'ab', 'é', 'it’s', `it's`, 'a%', '10', '9'];
const DAYS = ['2023-12-31', '2024-02-29', '2024-03-01'];

/** Columns by name: their type, the values that rows hold, and the values that filters ask for. */
const COLUMNS: Readonly<Record<string, { type: string; stored: Value[]; asked: Value[] }>> = {
  whole: { type: 'INTEGER', stored: [-1, 0, 1, 2], asked: NUMBERS },
  big: { type: 'HUGEINT', stored: [-1, 0, 1, 2], asked: NUMBERS },
  money: { type: 'DECIMAL(4,1)', stored: [-1, 0.5, 2], asked: NUMBERS },
  'float ✓': { type: 'DOUBLE', stored: NUMBERS, asked: NUMBERS },
  'the "word"': { type: 'VARCHAR', stored: WORDS, asked: WORDS },
  yes: { type: 'BOOLEAN', stored: [true, false], asked: [true, false] },
  day: { type: 'DATE', stored: DAYS, asked: DAYS },
};
const NAMES = Object.keys(COLUMNS);

const rowsArbitrary = fc.array(
  fc.record(
    Object.fromEntries(
      Object.entries(COLUMNS).map(([name, { stored }]) => [name, fc.constantFrom<Value>(null, ...stored)]),
    ),
  ),
  { minLength: 1, maxLength: 40 },
);

const criterionArbitrary: fc.Arbitrary<Filter<string>> = fc.constantFrom(...NAMES).chain((column) => {
  const literal = fc.constantFrom(...(COLUMNS[column]?.asked ?? [])).map(toLiteral);
  const operator = fc.constantFrom('=', '<>', '<', '<=', '>', '>=');
  return fc.oneof(
    fc.record({ kind: fc.constant('comparison'), column: fc.constant(column), operator, value: literal }),
    fc.record({
      kind: fc.constant('membership'),
      column: fc.constant(column),
      values: fc.array(literal, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('is_null' as const), column: fc.constant(column) }),
  ) as fc.Arbitrary<Filter<string>>;
});

const filterArbitrary = fc.letrec<{ filter: Filter<string> }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    criterionArbitrary,
    fc.record({
      kind: fc.constant('logical' as const),
      connective: fc.constantFrom('AND' as const, 'OR' as const),
      operands: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
    }),
  ),
})).filter;

const sortArbitrary = fc.array(
  fc.record({ column: fc.constantFrom(...NAMES), direction: fc.constantFrom('ASC' as const, 'DESC' as const) }),
  { maxLength: 3 },
);

function toLiteral(value: Value): Literal {
  if (typeof value === 'boolean') return { kind: 'boolean', isTrue: value };
  return { kind: typeof value === 'number' ? 'number' : 'string', text: String(value) };
}

/** True, false, or unknown (null), as SQL has it. */
function evaluate(filter: Filter<string>, row: Row): boolean | null {
  if (filter.kind === 'logical') {
    const truths = filter.operands.map((operand) => evaluate(operand, row));
    const deciding = filter.connective === 'OR';
    if (truths.includes(deciding)) return deciding;
    return truths.includes(null) ? null : !deciding;
  }
  const value = row[filter.column] ?? null;
  if (filter.kind === 'is_null') return value === null;
  if (value === null) return null;
  if (filter.kind === 'membership') return filter.values.some((literal) => order(value, toValue(literal)) === 0);
  if (filter.kind === 'pattern') throw new Error('No pattern is generated.');
  const compared = order(value, toValue(filter.value));
  return {
    '=': compared === 0,
    '<>': compared !== 0,
    '<': compared < 0,
    '<=': compared <= 0,
    '>': compared > 0,
    '>=': compared >= 0,
  }[filter.operator];
}

function toValue(literal: Literal): Value {
  if (literal.kind === 'boolean') return literal.isTrue;
  return literal.kind === 'number' ? Number(literal.text) : literal.text;
}

function order(a: NonNullable<Value>, b: Value): number {
  if (b === null) throw new Error('Literals are never NULL.');
  return a < b ? -1 : Number(a > b);
}

/** Row numbers of what the filter leaves, in the order asked. */
function expectedRows(rows: readonly Row[], filter: Filter<string>, keys: readonly SortKey<string>[]): number[] {
  return rows
    .map((row, n) => ({ row, n }))
    .filter(({ row }) => evaluate(filter, row) === true)
    .sort((a, b) => {
      for (const { column, direction } of keys) {
        const [left = null, right = null] = [a.row[column], b.row[column]];
        if (left === null || right === null) {
          if (left !== right) return left === null ? 1 : -1;
        } else if (order(left, right) !== 0) {
          return direction === 'ASC' ? order(left, right) : -order(left, right);
        }
      }
      return a.n - b.n;
    })
    .map(({ n }) => n);
}

function store(rows: readonly Row[]): Promise<StoredResult> {
  const values = rows.map((row, n) => {
    const fields = NAMES.map((name) => {
      const value = row[name] ?? null;
      return `CAST(${typeof value === 'string' ? quoteText(value) : value} AS ${COLUMNS[name]?.type})`;
    });
    return `(${[n, ...fields].join(', ')})`;
  });
  return StoredResult.of(
    `SELECT * FROM (VALUES ${values.join(', ')}) AS t(n, ${NAMES.map(quoteName).join(', ')})`,
    2048,
  );
}

describe('a read plan', () => {
  it('is parsed from the text of a filter as it was meant', () => {
    fc.assert(fc.property(filterArbitrary, (filter) => expect(parseFilter(writeFilter(filter))).toEqual(filter)));
  });

  it('selects and sorts any rows as a plain evaluator does, in pages that add up', async () => {
    const questions = fc.array(fc.tuple(filterArbitrary, sortArbitrary, fc.integer({ min: 1, max: 15 })), {
      minLength: 12,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(rowsArbitrary, questions, async (rows, asked) => {
        const result = await store(rows);
        for (const [filter, keys, limit] of asked) {
          const sortBy = keys.map(({ column, direction }) => `${quoteName(column)} ${direction}`).join(', ');
          const request = { filters: writeFilter(filter), sortBy, columns: 'n' };
          const expected = expectedRows(rows, filter, keys);
          expect((await result.read(request)).map(([n]) => n)).toEqual(expected);
          expect(await readPages(result, request, limit)).toEqual(expected);
        }
      }),
      { numRuns: 20 },
    );
  });
});

/** Reads page by page until the row beyond the limit is missing. */
async function readPages(result: StoredResult, request: { filters: string; sortBy: string }, limit: number) {
  const pages: unknown[] = [];
  for (let offset = 0; ; offset += limit) {
    const rows = await result.read({ ...request, limit: String(limit), offset: String(offset) });
    pages.push(...rows.slice(0, limit).map(([n]) => n));
    if (rows.length <= limit) return pages;
  }
}
