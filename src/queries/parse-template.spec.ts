import { describe, expect, it } from '@jest/globals';
import { findPlaceholders, parseTemplate } from './parse-template.js';

describe('findPlaceholders', () => {
  it.each([
    ['SELECT {{n}} + {{ n }} + {{other}}', ['n', 'other']],
    ['SELECT \'{{ wallet address }}\', "{{column}}", $${{text}}$$', ['wallet address', 'column', 'text']],
    ['SELECT 1 -- {{commented}}\n/* {{out}} */', []],
    ["SELECT '{{' || x || '}}'", []],
    ['SELECT {{}}, {{ }}, {n}, {{n}', []],
    ["SELECT {'a': {'b': 1}}", []],
  ])('finds in %s the parameters %j', (sql, keys) => {
    expect(findPlaceholders(sql)).toEqual(keys);
  });
});

describe('parseTemplate', () => {
  it('tells where each placeholder stands', () => {
    expect(parseTemplate("a {{n}} E'{{t}}'")).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'placeholder', key: 'n', text: '{{n}}', region: 'code' },
      { kind: 'text', text: " E'" },
      { kind: 'text', text: '' },
      { kind: 'placeholder', key: 't', text: '{{t}}', region: 'escape_string' },
      { kind: 'text', text: '' },
      { kind: 'text', text: "'" },
    ]);
  });
});
