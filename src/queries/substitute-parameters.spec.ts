import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitRegions } from '../duckdb/sql-regions.js';
import type { Parameter, ParameterType } from './parameter.js';
import { parametersOf, substituteParameters } from './substitute-parameters.js';

const declare = (type: ParameterType, more: Partial<Parameter> = {}): Parameter => ({
  key: 'p',
  type,
  enumOptions: [],
  ...more,
});
const render = (sql: string, type: ParameterType, value: unknown) =>
  substituteParameters(sql, [declare(type)], { p: value }).sql;

describe('substituteParameters', () => {
  it.each<[string, ParameterType, unknown, string]>([
    ['SELECT {{p}}', 'number', 5, 'SELECT 5'],
    ['SELECT {{ p }} + {{p}}', 'number', '1.5', 'SELECT 1.5 + 1.5'],
    ['SELECT 10-{{p}}', 'number', -5, 'SELECT 10- -5'],
    ['SELECT {{p}}', 'text', "'a' || 'b'", "SELECT 'a' || 'b'"],
    ["SELECT '{{p}}'", 'text', "it's", "SELECT 'it''s'"],
    ["SELECT '%{{p}}%'", 'text', 'back\\slash', "SELECT '%back\\slash%'"],
    ["SELECT E'{{p}}'", 'text', "\\'; --", "SELECT E'\\\\''; --'"],
    ['SELECT "{{p}}"', 'text', 'a"b', 'SELECT "a""b"'],
    ['SELECT $${{p}}$$', 'text', "it's", "SELECT $$it's$$"],
    ['SELECT {{p}}', 'datetime', '2026-03-01', "SELECT '2026-03-01'"],
    ["SELECT TIMESTAMP '{{p}}'", 'datetime', '2026-03-01 10:20:30', "SELECT TIMESTAMP '2026-03-01 10:20:30'"],
    ['ORDER BY 1 {{p}}', 'enum', 'DESC', 'ORDER BY 1 DESC'],
    ['x IN ({{p}})', 'enum', ['a', "b'c"], "x IN ('a', 'b''c')"],
    ['x IN ({{p}})', 'text', ['a'], "x IN ('a')"],
    ['x IN ({{p}})', 'number', [1, '2'], 'x IN (1, 2)'],
    ["split('{{p}}', ',')", 'text', ['a', 'b'], "split('a,b', ',')"],
    ['SELECT 1 -- {{p}}', 'text', 'a\nb', 'SELECT 1 -- {{p}}'],
  ])('puts into %s as %s the value %j', (sql, type, value, expected) => {
    expect(render(sql, type, value)).toBe(expected);
  });

  it('takes the default for a value that is missing or null', () => {
    const parameters = [declare('number', { defaultValue: '7' })];
    const expected = { sql: 'SELECT 7', parameters: { p: '7' } };
    expect(substituteParameters('SELECT {{p}}', parameters, {})).toMatchObject(expected);
    expect(substituteParameters('SELECT {{p}}', parameters, { p: null })).toMatchObject(expected);
  });

  it('tells the values of all parameters, used or not', () => {
    const parameters = [declare('text', { defaultValue: 'unused' })];
    const { parameters: values } = substituteParameters('SELECT {{x}}', parameters, { x: ['a', 'b'] });
    expect(values).toEqual({ p: 'unused', x: 'a,b' });
  });

  it('needs a value where there is no default', () => {
    expect(() => substituteParameters('SELECT {{p}}', [declare('text')], {})).toThrow(
      'parameter p: has no default: give it a value',
    );
    expect(substituteParameters('SELECT 1', [declare('text')], {}).sql).toBe('SELECT 1');
  });

  it('names the parameters that the text does not have', () => {
    expect(() => substituteParameters('SELECT {{a}}', [], { a: 1, b: 2, constructor: 3 })).toThrow(
      'unknown parameters (b, constructor)',
    );
  });

  it('takes no value from what every object inherits', () => {
    expect(() => substituteParameters('SELECT {{toString}}', [], {})).toThrow('parameter toString: has no default');
  });

  it('refuses a $ inside a $-quoted literal', () => {
    expect(() => render('SELECT $${{p}}$$', 'text', 'a$$b')).toThrow('parameter p: cannot hold a $ inside');
  });

  it('refuses a text that grows beyond reason', () => {
    expect(() => render('{{p}}'.repeat(1_000), 'text', 'ü'.repeat(51))).toThrow(
      'The SQL may have at most 100000 bytes with its parameters put in',
    );
    expect(render('{{p}}'.repeat(1_000), 'text', 'ü'.repeat(50))).toHaveLength(50_000);
  });

  it('refuses the character at which the engine would stop reading', () => {
    expect(() => render("SELECT '{{p}}'", 'text', 'a\0b')).toThrow('NUL');
  });

  it('keeps any value inside the literal or the name that it stands in', () => {
    const hostile = fc
      .array(fc.constantFrom("'", "''", '"', '\\', '--', '/*', '*/', ';', '\n', 'a', '{{p}}'))
      .map((pieces) => pieces.join(''));
    const around = fc.constantFrom<[string, string]>(
      ["SELECT '", "'"],
      ["SELECT E'", "'"],
      ['SELECT "', '"'],
      ['SELECT $q$', '$q$'],
    );
    fc.assert(
      fc.property(hostile, around, (value, [before, after]) => {
        const regions = splitRegions(render(`${before}{{p}}${after}`, 'text', value));
        expect(regions.map(({ text }) => text)).toEqual([before, expect.any(String), after]);
      }),
    );
  });
});

describe('parametersOf', () => {
  it('adds to the declared parameters those that stand in the text only, as text without a default', () => {
    expect(parametersOf('SELECT {{p}}, {{x}}', [declare('number')])).toEqual([
      declare('number'),
      { key: 'x', type: 'text', enumOptions: [] },
    ]);
  });
});
