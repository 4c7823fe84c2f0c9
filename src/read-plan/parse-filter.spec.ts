import { describe, expect, it } from '@jest/globals';
import type { Literal } from '../types/literals/literal.js';
import { parseFilter } from './parse-filter.js';
import { FilterLimitError } from './read-plan.errors.js';
import type { Connective, Filter, Operator } from './read-plan.js';

const string = (text: string): Literal => ({ kind: 'string', text });
const number = (text: string): Literal => ({ kind: 'number', text });
const hex = (text: string): Literal => ({ kind: 'hex', text });
const boolean = (isTrue: boolean): Literal => ({ kind: 'boolean', isTrue });
const compare = (column: string, operator: Operator, value: Literal): Filter<string> => ({
  kind: 'comparison',
  column,
  operator,
  value,
});
const isOne = (column: string) => compare(column, '=', number('1'));
const join = (connective: Connective, ...operands: Filter<string>[]): Filter<string> => ({
  kind: 'logical',
  connective,
  operands,
});

const CRITERIA: [text: string, tree: Filter<string>][] = [
  ['size >= 10', compare('size', '>=', number('10'))],
  ['size<=10', compare('size', '<=', number('10'))],
  ['a<5', compare('a', '<', number('5'))],
  ['a > 5', compare('a', '>', number('5'))],
  ['a <> 5', compare('a', '<>', number('5'))],
  ['a != 5', compare('a', '<>', number('5'))],
  [' \t\n a \r\n = \u00a0 5 ', compare('a', '=', number('5'))],
  ['a=-1', compare('a', '=', number('-1'))],
  ['a>-1', compare('a', '>', number('-1'))],
  ['a = +1', compare('a', '=', number('+1'))],
  ['a = 1.5', compare('a', '=', number('1.5'))],
  ['a = .5', compare('a', '=', number('.5'))],
  ['a = -.5e-3', compare('a', '=', number('-.5e-3'))],
  ['a = 1E5', compare('a', '=', number('1E5'))],
  ['a = 123456789012345678901234567890', compare('a', '=', number('123456789012345678901234567890'))],
  ['a = 0xFF', compare('a', '=', hex('0xFF'))],
  ['a = 0XaB', compare('a', '=', hex('0XaB'))],
  ['a = 0x', compare('a', '=', hex('0x'))],
  ['a = TRUE', compare('a', '=', boolean(true))],
  ['a <> false', compare('a', '<>', boolean(false))],
  [`a = 'x'`, compare('a', '=', string('x'))],
  [`a = ''`, compare('a', '=', string(''))],
  [`a = 'it''s'`, compare('a', '=', string(`it's`))],
  [`a = ''''`, compare('a', '=', string(`'`))],
  [`a = 'NOT x -- ; /* ('`, compare('a', '=', string('NOT x -- ; /* ('))],
  [`a = 'a\\'`, compare('a', '=', string('a\\'))],
  [`a = 'line\nbreak'`, compare('a', '=', string('line\nbreak'))],
  [`a LIKE 'x%'`, { kind: 'pattern', column: 'a', operator: 'LIKE', pattern: 'x%' }],
  [`a ilike '_x'`, { kind: 'pattern', column: 'a', operator: 'ILIKE', pattern: '_x' }],
  ['a IS NULL', { kind: 'is_null', column: 'a' }],
  ['a is null', { kind: 'is_null', column: 'a' }],
  ['a IN (1)', { kind: 'membership', column: 'a', values: [number('1')] }],
  [
    `a in('x', -2 ,0xAA,TRUE)`,
    { kind: 'membership', column: 'a', values: [string('x'), number('-2'), hex('0xAA'), boolean(true)] },
  ],
];

const NAMES: [text: string, name: string][] = [
  ['_a1', '_a1'],
  ['größe', 'größe'],
  ['価格', '価格'],
  ['order', 'order'],
  ['android', 'android'],
  ['nothing', 'nothing'],
  ['ıs', 'ıs'],
  ['"NOT"', 'NOT'],
  ['"in"', 'in'],
  ['"a b.c-d"', 'a b.c-d'],
  ['"🎉"', '🎉'],
  ['"say ""hi"""', 'say "hi"'],
  ['"say \\"hi\\""', 'say "hi"'],
  ['"C:\\dir"', 'C:\\dir'],
  ['"a\\\\b"', 'a\\\\b'],
  ['"C:\\\\"', 'C:\\'],
  ['"\\\\\\""', '\\"'],
  [`"it's; -- ("`, `it's; -- (`],
];

const COMBINATIONS: [text: string, tree: Filter<string>][] = [
  ['a = 1 AND b = 1', join('AND', isOne('a'), isOne('b'))],
  ['a = 1 and b = 1 And c = 1', join('AND', isOne('a'), isOne('b'), isOne('c'))],
  ['a = 1 OR b = 1 AND c = 1', join('OR', isOne('a'), join('AND', isOne('b'), isOne('c')))],
  ['a = 1 AND b = 1 OR c = 1', join('OR', join('AND', isOne('a'), isOne('b')), isOne('c'))],
  ['(a = 1 OR b = 1) AND c = 1', join('AND', join('OR', isOne('a'), isOne('b')), isOne('c'))],
  ['((a=1))', isOne('a')],
  ['(a=1)AND(b=1)', join('AND', isOne('a'), isOne('b'))],
  ['(a=1 OR (b=1 AND (c=1)))', join('OR', isOne('a'), join('AND', isOne('b'), isOne('c')))],
];

describe('parseFilter', () => {
  it.each(CRITERIA)('reads the criterion %j', (text, tree) => {
    expect(parseFilter(text)).toEqual(tree);
  });

  it.each(NAMES)('reads the column name %s', (written, name) => {
    expect(parseFilter(`${written} = 1`)).toEqual(isOne(name));
  });

  it.each(COMBINATIONS)('reads %j', (text, tree) => {
    expect(parseFilter(text)).toEqual(tree);
  });

  it('takes 64 levels of parentheses and no more', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}a = 1${')'.repeat(depth)}`;
    expect(parseFilter(nested(64))).toEqual(isOne('a'));
    expect(() => parseFilter(nested(65))).toThrow(new FilterLimitError('parentheses are more than 64 deep', 64));
  });

  it('counts depth, not the number of parentheses', () => {
    expect(parseFilter(Array.from({ length: 100 }, () => '(a = 1)').join(' OR '))).toMatchObject({ kind: 'logical' });
  });

  it('takes 1000 values in IN and no more', () => {
    const list = (length: number) => `a IN (${Array.from({ length }, () => '1').join(',')})`;
    expect(parseFilter(list(1000))).toMatchObject({ kind: 'membership' });
    expect(() => parseFilter(list(1001))).toThrow(
      new FilterLimitError('an IN list has more than 1000 values', 'a IN ('.length + 2000),
    );
  });

  it('takes 16 kB of UTF-8 and no more', () => {
    const text = (bytes: number) => `a = '${'é'.repeat((bytes - 6) / 2)}'`;
    expect(parseFilter(text(16_384))).toMatchObject({ kind: 'comparison' });
    expect(() => parseFilter(text(16_386))).toThrow(FilterLimitError);
  });
});
