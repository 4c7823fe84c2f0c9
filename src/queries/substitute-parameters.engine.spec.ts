import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openConnection } from '../../test/support/connection.js';
import { raw } from '../duckdb/sql.js';
import { substituteParameters } from './substitute-parameters.js';

/** Text of the characters that matter to a SQL lexer, without the one that ends the text. */
const hostile = fc
  .array(fc.constantFrom("'", '"', '\\', 'n', '--', '/*', '*/', ';', '\n', '$', 'é', '{{p}}', ' '))
  .map((parts) => parts.join(''));

const connection = await openConnection();

describe('substituteParameters, read by the engine', () => {
  const evaluate = async (template: string, value: string) =>
    (await connection.rows(raw(substituteParameters(template, [], { p: value }).sql)))[0]?.[0];

  it.each(["SELECT '{{p}}'", "SELECT E'{{p}}'", "SELECT\u00a0E'{{p}}'", "SELECT /* ' */ '{{p}}' -- '"])(
    'gives %s the very value',
    async (template) => {
      await fc.assert(fc.asyncProperty(hostile, async (value) => expect(await evaluate(template, value)).toBe(value)));
    },
  );

  const IN_DOLLARS = ['SELECT $q$', '{{p}}', '$q$'].join('');

  it.each([' ', '\u00a0', '\ufeff'])(
    'gives a $-quoted literal behind %j the very value, where it can hold it',
    async (space) => {
      const withoutDollar = hostile.filter((value) => !value.includes('$'));
      const template = IN_DOLLARS.replace(' ', () => space);
      await fc.assert(
        fc.asyncProperty(withoutDollar, async (value) => expect(await evaluate(template, value)).toBe(value)),
      );
    },
  );

  it('gives a quoted name the very value', async () => {
    const names = hostile.filter((value) => value !== '');
    const property = fc.asyncProperty(names, async (value) => {
      const { sql } = substituteParameters('SELECT 1 AS "{{p}}"', [], { p: value });
      expect((await connection.describe(raw(sql)))[0]?.name).toBe(value);
    });
    await fc.assert(property);
  });
});
