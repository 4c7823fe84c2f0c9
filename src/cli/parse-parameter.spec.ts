import { describe, expect, it } from '@jest/globals';
import { parseParameter } from './parse-parameter.js';

describe('parseParameter', () => {
  it.each([
    ['who', { key: 'who', type: 'text', enumOptions: [] }],
    ['who=ada', { key: 'who', type: 'text', defaultValue: 'ada', enumOptions: [] }],
    ['empty=', { key: 'empty', type: 'text', defaultValue: '', enumOptions: [] }],
    ['n:number=5', { key: 'n', type: 'number', defaultValue: '5', enumOptions: [] }],
    [
      'since:date=2026-03-01 10:20',
      { key: 'since', type: 'datetime', defaultValue: '2026-03-01 10:20', enumOptions: [] },
    ],
    ['c:enum(red|blue)=red', { key: 'c', type: 'enum', defaultValue: 'red', enumOptions: ['red', 'blue'] }],
    ['formula=a:b=c', { key: 'formula', type: 'text', defaultValue: 'a:b=c', enumOptions: [] }],
  ])('reads %s', (text, parameter) => {
    expect(parseParameter(text)).toEqual(parameter);
  });

  it.each(['', '=x', 'n:blob=5', 'n:'])('refuses %j', (text) => {
    expect(() => parseParameter(text)).toThrow(/form|type/);
  });
});
