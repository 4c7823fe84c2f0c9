import { describe, expect, it } from '@jest/globals';
import { checkValue } from './check-value.js';
import type { ParameterType } from './parameter.js';

const parameter = (type: ParameterType, enumOptions: string[] = []) => ({ key: 'p', type, enumOptions });

describe('checkValue', () => {
  it.each<[ParameterType, unknown, unknown]>([
    ['text', ' any text ', ' any text '],
    ['text', '', ''],
    ['text', 5, '5'],
    ['text', ['a', 2], ['a', '2']],
    ['number', 12.5, '12.5'],
    ['number', ' -3 ', '-3'],
    ['number', '1e21', '1e21'],
    ['number', '.5', '.5'],
    ['number', ['1', 2], ['1', '2']],
    ['datetime', '2026-03-01', '2026-03-01'],
    ['datetime', '2024-02-29', '2024-02-29'],
    ['datetime', '2026-03-01 10:20', '2026-03-01 10:20'],
    ['datetime', '2026-03-01 10:20:30.123 UTC', '2026-03-01 10:20:30.123 UTC'],
    ['datetime', '2026-03-01T10:20:30.123456Z', '2026-03-01T10:20:30.123456Z'],
    ['datetime', '2026-03-01T10:20:30+02:00', '2026-03-01T10:20:30+02:00'],
    ['enum', 'any, when there are no options', 'any, when there are no options'],
  ])('takes for a %s the value %j', (type, given, checked) => {
    expect(checkValue(parameter(type), given)).toEqual(checked);
  });

  it.each<[ParameterType, unknown, string]>([
    ['text', true, 'parameter p: must be text, a number, or a list of these'],
    ['text', { a: 1 }, 'parameter p: must be text, a number, or a list of these'],
    ['text', [['nested']], 'parameter p: must be text, a number, or a list of these'],
    ['text', [], 'parameter p: the list must not be empty'],
    ['text', 'a\ud800', 'parameter p: must not hold half of a surrogate pair'],
    ['number', '', 'parameter p: must be a number, such as 12.5'],
    ['number', '1; DROP TABLE x', 'parameter p: must be a number, such as 12.5'],
    ['number', '0x10', 'parameter p: must be a number, such as 12.5'],
    ['number', Number.NaN, 'parameter p: must be a number, such as 12.5'],
    ['number', ['1', 'x'], 'parameter p: must be a number, such as 12.5'],
    ['datetime', 'yesterday', 'parameter p: must be a date or a time, such as 2026-03-01 or 2026-03-01 10:20:30'],
    ['datetime', '2026-02-29', 'parameter p: must be a date or a time, such as 2026-03-01 or 2026-03-01 10:20:30'],
    ['datetime', '2026-13-01', 'parameter p: must be a date or a time, such as 2026-03-01 or 2026-03-01 10:20:30'],
    [
      'datetime',
      '2026-03-01 24:00',
      'parameter p: must be a date or a time, such as 2026-03-01 or 2026-03-01 10:20:30',
    ],
  ])('refuses for a %s the value %j', (type, given, message) => {
    expect(() => checkValue(parameter(type), given)).toThrow(message);
  });

  it('takes for an enum its options only', () => {
    const colour = parameter('enum', ['red', 'blue']);
    expect(checkValue(colour, ['red', 'blue'])).toEqual(['red', 'blue']);
    expect(() => checkValue(colour, 'green')).toThrow('parameter p: must be one of red, blue');
  });
});
