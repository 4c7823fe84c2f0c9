import { describe, expect, it } from '@jest/globals';
import type { Parameter } from './parameter.js';
import { renderWithSamples } from './render-with-samples.js';

const declare = (key: string, more: Partial<Parameter> = {}): Parameter => ({
  key,
  type: 'text',
  enumOptions: [],
  ...more,
});

describe('renderWithSamples', () => {
  it.each<[string, Partial<Parameter>, string]>([
    ['SELECT {{p}}', { type: 'number' }, 'SELECT 1'],
    ['SELECT {{p}}', { type: 'datetime' }, "SELECT '2026-01-01'"],
    ['ORDER BY 1 {{p}}', { type: 'enum', enumOptions: ['ASC', 'DESC'] }, 'ORDER BY 1 ASC'],
    ['ORDER BY 1 {{p}}', { defaultValue: 'DESC' }, 'ORDER BY 1 DESC'],
    ["SELECT '{{p}}', E'{{p}}', $${{p}}$$", {}, "SELECT 'x', E'x', $$x$$"],
    ["SELECT '{{p}}'", { defaultValue: "it's" }, "SELECT 'it''s'"],
    ['SELECT 1 -- {{p}}', {}, 'SELECT 1 -- {{p}}'],
  ])('knows all of %s with %j', (sql, more, rendered) => {
    expect(renderWithSamples(sql, [declare('p', more)])).toMatchObject({
      sql: rendered,
      knownUntil: Number.POSITIVE_INFINITY,
    });
  });

  it.each<[string, Partial<Parameter>]>([
    ["SELECT '{{p}}' FROM {{p}}", {}],
    ["SELECT '{{p}}' FROM {{p}}", { defaultValue: '' }],
    ["SELECT '{{p}}' FROM {{p}}", { type: 'enum' }],
  ])('knows %s with %j up to where a value stands for syntax', (sql, more) => {
    expect(renderWithSamples(sql, [declare('p', more)])).toMatchObject({ sql: "SELECT 'x' FROM x", knownUntil: 16 });
  });
});
