import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Parameter } from './parameter.js';
import { toSavedSpan } from './replacement.js';
import { substituteParameters } from './substitute-parameters.js';

const PARAMETERS: Parameter[] = [
  { key: 'city', type: 'text', enumOptions: [] },
  { key: 'n', type: 'number', enumOptions: [] },
];

/** The span in `saved` of what stands at `found` in the text with these values. */
function spanOf(saved: string, values: object, found: string | number) {
  const { sql, replacements } = substituteParameters(saved, PARAMETERS, { city: 'x', n: 1, ...values });
  const offset = typeof found === 'number' ? found : sql.indexOf(found);
  const { offset: start, length, ...rest } = toSavedSpan(sql, offset, replacements);
  return { text: saved.slice(start, start + length), offset: start, ...rest };
}

describe('toSavedSpan', () => {
  it.each([
    ["SELECT '{{city}}' AS c, nosuch -- {{n}}", { city: 'San Francisco and more' }, 'nosuch', 'nosuch', 25],
    ["SELECT '{{city}}' AS c, nosuch", { city: '' }, 'nosuch', 'nosuch', 25],
    ['SELECT {{n}}, {{n}},\n  {{city}}.nosuch', { n: [1, 2, 3], city: 'a_table' }, '.nosuch', '.', 11],
    ["SELECT CAST('{{city}}' AS INTEGER)", { city: 'Reno' }, "'Reno'", "'{{city}}'", 13],
    ['SELECT nosuch_{{city}} + 1', { city: 'abc' }, 'nosuch_abc', 'nosuch_{{city}}', 8],
    ['SELECT "a ""b {{city}}" FROM t', { city: 'c"d' }, '"a ""b', '"a ""b {{city}}"', 8],
    ["SELECT E'it\\'s {{city}}'", {}, "E'it", "E'it\\'s {{city}}'", 8],
    ["SELECT 'ü', (🦆)", {}, '🦆', '🦆', 14],
    ['SELECT 10-{{n}} frm x', { n: -5 }, 'frm', 'frm', 17],
    ["SELECT 'open {{city}}", {}, "'open", "'open {{city}}", 8],
    ['SELECT 1.5e3x', {}, '1.5', '1.5e3x', 8],
    ['SELECT a\u00a0b', {}, 'a', 'a', 8],
  ])('finds in %s with %j the token %s: %s', (saved, values, found, text, column) => {
    expect(spanOf(saved, values, found)).toMatchObject({ text, column });
    expect(spanOf(saved, values, found)).not.toHaveProperty('parameter');
  });

  it.each([
    ["SELECT '{{city}}' AS c", { city: 'San Francisco' }, 'Francisco', '{{city}}', 1, 9, 'city'],
    ['SELECT\n  {{ city }} FROM t', { city: 'f(nosuch)' }, 'nosuch', '{{ city }}', 2, 3, 'city'],
    ['SELECT {{n}} LIMIT {{n}}', { n: '1e400' }, '1e400', '{{n}}', 1, 8, 'n'],
    ['SELECT {{n}} LIMIT {{n}}', { n: '1e400' }, 19, '{{n}}', 1, 20, 'n'],
    ['SELECT 10-{{n}}', { n: -5 }, '-5', '{{n}}', 1, 11, 'n'],
  ])(
    'finds in %s with %j, inside the value at %j, its placeholder',
    (saved, values, found, text, line, column, parameter) => {
      expect(spanOf(saved, values, found)).toMatchObject({ text, line, column, parameter });
    },
  );

  it('ends at the end of the text', () => {
    const saved = 'SELECT ({{n}}';
    const { sql, replacements } = substituteParameters(saved, PARAMETERS, { n: 12345, city: 'x' });
    const end = { line: 1, column: saved.length + 1, offset: saved.length, length: 0 };
    expect(toSavedSpan(sql, sql.length, replacements)).toEqual(end);
  });

  it('counts lines and columns in characters, and offsets in UTF-16 code units', () => {
    const saved = "SELECT\r\n'ü🦆', nosuch";
    expect(toSavedSpan(saved, saved.indexOf('nosuch'), [])).toEqual({ line: 2, column: 7, offset: 15, length: 6 });
  });

  it('is inside the saved text wherever the error is, and names the parameter of every character of its values', () => {
    const part = fc.constantFrom(
      "'",
      '"',
      ' ',
      'abc',
      '{{city}}',
      '{{n}}',
      '{{ city }}',
      '\n',
      '-',
      '$$',
      '🦆',
      'E',
      '--',
      '/*',
    );
    const texts = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        texts,
        fc.string({ unit: fc.constantFrom('x', "'", '"', '\n', '🦆') }),
        fc.nat(),
        (saved, city, n) => {
          const { sql, replacements } = substituteParameters(saved, PARAMETERS, { city, n });
          for (let offset = 0; offset <= sql.length; offset++) {
            const span = toSavedSpan(sql, offset, replacements);
            expect(span.offset + span.length).toBeLessThanOrEqual(saved.length);
            const inside = replacements.find((each) => offset >= each.offset && offset < each.offset + each.length);
            expect(span.parameter).toBe(inside?.key);
            if (inside) expect(saved.slice(span.offset, span.offset + span.length)).toBe(inside.placeholder);
          }
        },
      ),
    );
  });
});
