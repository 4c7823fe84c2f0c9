import { describe, expect, it } from '@jest/globals';
import { parseFilter } from './parse-filter.js';
import { FilterSyntaxError } from './read-plan.errors.js';

/** Text, then offset and text of the error. */
const ERRORS: [text: string, offset: number, reason: string | RegExp][] = [
  // NOT
  ['size NOT IN (1)', 5, 'NOT is not supported, use <> or a list of IN values'],
  ["name not like 'a%'", 5, 'NOT is not supported, use <> or a list of IN values'],
  ['NOT a = 1', 0, 'NOT is not supported'],
  ['a = 1 AND NOT (b = 2)', 10, 'NOT is not supported'],
  ['a = 1 AND b nOt', 12, 'NOT is not supported'],
  ['a IS NOT NULL', 5, 'NOT is not supported, for IS NOT NULL write a comparison'],
  ['a = NOT', 4, 'NOT is not supported'],
  ['!(a = 1)', 0, "'!' is not supported"],
  // functions, arithmetic, casts, columns on the right
  ["lower(a) = 'x'", 0, 'functions are not supported'],
  ['"f"(a) = 1', 0, 'functions are not supported'],
  ['a = now()', 4, 'functions are not supported'],
  ['a = lower (b)', 4, 'functions are not supported'],
  ['a IN (abs(1))', 6, 'functions are not supported'],
  ['a + 1 = 2', 2, 'arithmetic is not supported'],
  ['a = 1 + 1', 6, 'arithmetic is not supported'],
  ['a = 1-1', 5, 'arithmetic is not supported'],
  ['a = 1 -1', 6, 'arithmetic is not supported'],
  ['a -1 = 0', 2, 'arithmetic is not supported'],
  ['(a = 1) - 1', 8, 'arithmetic is not supported'],
  ['a = TRUE -1', 9, 'arithmetic is not supported'],
  ['a = 2 * 3', 6, 'arithmetic is not supported'],
  ["a = 'x' || 'y'", 8, 'arithmetic is not supported'],
  ['a % 2 = 0', 2, 'arithmetic is not supported'],
  ['a = - 1', 4, 'arithmetic is not supported'],
  ["a = '1'::INT", 7, 'casts are not supported'],
  ['a::INT = 1', 1, 'casts are not supported'],
  ["a = CAST('1' AS INT)", 4, 'functions are not supported'],
  ["a = DATE '2024-01-01'", 4, 'a column cannot stand on the right'],
  ['a = b', 4, 'a column cannot stand on the right'],
  ['a = "b"', 4, 'a column cannot stand on the right'],
  ['1 = a', 0, "expected a column name, got '1'"],
  ["'a' = 1", 0, "expected a column name, got ''a''"],
  ['t.a = 1', 1, 'a column name that holds a dot is written in double quotes'],
  // comments, separators, placeholders
  ['a = 1 -- x', 6, 'comments are not supported'],
  ['a = 1--1', 5, 'comments are not supported'],
  ['a = /* x */ 1', 4, 'comments are not supported'],
  ['a = 1; DROP TABLE x', 5, 'a statement separator is not supported'],
  ['a = 1;', 5, 'a statement separator is not supported'],
  ['a = ?', 4, 'placeholders are not supported'],
  ['a = $1', 4, 'placeholders are not supported'],
  ['a = :x', 4, 'placeholders are not supported'],
  // NULL
  ['a = NULL', 4, 'nothing compares with NULL, use IS NULL'],
  ['a <> null', 5, 'nothing compares with NULL, use IS NULL'],
  ['a IN (1, NULL)', 9, 'nothing compares with NULL, use IS NULL'],
  ['a IS TRUE', 5, "expected NULL after IS, got 'TRUE'"],
  ['a IS', 4, 'expected NULL after IS, got the end of the text'],
  // unclosed
  ["a = 'x", 4, 'a string is not closed'],
  ["a = 'x''", 4, 'a string is not closed'],
  ["a = 'b'' AND c = 1", 4, 'a string is not closed'],
  ['"a = 1', 0, 'a column name in double quotes is not closed'],
  ['b = 1 AND "a\\" = 1', 10, 'a column name in double quotes is not closed'],
  ['(a = 1', 0, "this '(' is not closed"],
  ['((a = 1)', 0, "this '(' is not closed"],
  ['a IN (1, 2', 5, "this '(' is not closed"],
  ['a = 1)', 5, "this ')' closes nothing"],
  // numbers
  ['a = 1abc', 4, 'this is not a number'],
  ['a = 1.2.3', 4, 'this is not a number'],
  ['a = 1_000', 4, 'this is not a number'],
  ['a = 0xZZ', 4, 'this is not a number'],
  ['a = 1e', 4, 'this is not a number'],
  ['a = 5AND b = 1', 4, 'this is not a number'],
  // structure
  ['a', 1, /expected an operator .*, got the end of the text/],
  ['a =', 3, 'expected a value, got the end of the text'],
  ['a = AND b = 1', 4, "expected a value, got 'AND'"],
  ['a = 1 AND', 9, 'expected a column name, got the end of the text'],
  ['AND a = 1', 0, "expected a column name, got 'AND'"],
  ['a = 1 OR OR b = 1', 9, "expected a column name, got 'OR'"],
  ['a = 1 b = 2', 6, "expected AND, OR or the end of the text, got 'b'"],
  ['a = 1, b = 2', 5, "expected AND, OR or the end of the text, got ','"],
  ['(a = 1 b = 2)', 7, "expected AND, OR or ')', got 'b'"],
  ["a = 'x' 'y'", 8, 'expected AND, OR or the end of the text'],
  ['()', 1, "expected a column name, got ')'"],
  ['a = (1)', 4, "expected a value, got '('"],
  ['(a) = 1', 2, 'expected an operator'],
  ['a IN 1', 5, "expected '(' after IN, got '1'"],
  ['a IN ()', 6, "expected a value, got ')'"],
  ['a IN (1,)', 8, "expected a value, got ')'"],
  ['a IN (1 2)', 8, "expected ',' or ')', got '2'"],
  ['a IN (SELECT 1)', 6, 'a column cannot stand on the right'],
  ['a LIKE 5', 7, "expected a string in single quotes, got '5'"],
  ['a LIKE "x"', 7, 'expected a string in single quotes'],
  ['a BETWEEN 1 AND 2', 2, 'BETWEEN is not supported, use >= and <='],
  ['a == 1', 2, "'==' is not supported, use ="],
  ['a =< 1', 3, "expected a value, got '<'"],
  ['"" = 1', 0, 'a column name is empty'],
  ['🎉 = 1', 0, "'🎉' is not expected"],
  ['a = ‘x’', 4, "'‘' is not expected"],
  ['`a` = 1', 0, "'`' is not expected"],
  ['a[1] = 1', 1, "'[' is not expected"],
  ['a = 1 \u0000', 6, 'is not expected'],
  ['"🎉" = 1 x', 9, 'expected AND, OR'],
];

describe('parseFilter', () => {
  it.each(ERRORS)('rejects %j at offset %d', (text, offset, reason) => {
    const error = errorOf(text);
    expect(error).toBeInstanceOf(FilterSyntaxError);
    expect(error).toMatchObject({ kind: 'invalid', code: 'filter_syntax', offset });
    expect(error?.message).toMatch(reason);
    expect(error?.message).toContain(`, at character ${offset + 1}`);
  });

  it('words an error as the interface does', () => {
    expect(errorOf('size = 1 AND NOT x')?.message).toBe(
      'filters: NOT is not supported, use <> or a list of IN values, at character 14',
    );
  });

  it('cuts a long piece of the request short in the message', () => {
    expect(errorOf(`a = 1 ${'x'.repeat(10_000)}`)?.message.length).toBeLessThan(200);
  });
});

function errorOf(text: string): Error | undefined {
  try {
    parseFilter(text);
  } catch (error) {
    return error as Error;
  }
  return undefined;
}
