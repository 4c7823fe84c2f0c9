import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openConnection } from '../../../../../test/support/connection.js';
import { raw } from '../../../../duckdb/sql.js';
import { SERIALIZATION } from '../sandbox.js';
import { serializeStatements } from './serialize-statement.js';
import { tableReferences } from './table-references.js';

const NAMES = ['t', 'u'];

/** An engine in which every name is that of a table, whose only row is that name. */
const connection = await openConnection({ threads: '1', ...SERIALIZATION });
for (const name of NAMES) await connection.run(raw(`CREATE TABLE ${name} AS SELECT 'table ${name}' AS src`));

async function referencesOf(text: string): Promise<string[]> {
  const [statement] = await serializeStatements(connection, text);
  return tableReferences(statement ?? {}).map(({ name }) => name);
}

/** Queries with one column: the tables and expressions that they name. */
const { query } = fc.letrec<{ query: string; source: string; withs: string }>((tie) => ({
  source: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...NAMES, 'T', '"U"').map((name) => `SELECT src FROM ${name}`),
    fc.constant(`SELECT 'cte' AS src`),
    tie('query').map((inner) => `SELECT src FROM (${inner}) AS derived`),
    tie('query').map((inner) => `SELECT (SELECT max(src) FROM (${inner})) AS src`),
    tie('query').map((inner) => `SELECT lateral_.src FROM (SELECT 1) AS one, LATERAL (${inner}) AS lateral_`),
    tie('query').map((inner) => `SELECT src FROM (SELECT 'cte' AS src) WHERE src IN (${inner}) OR EXISTS (${inner})`),
    fc.tuple(tie('query'), tie('query')).map(([left, right]) => `(${left}) UNION (${right})`),
  ),
  withs: fc
    .uniqueArray(
      fc.tuple(
        fc.constantFrom(...NAMES, 'U'),
        fc.constantFrom('', 'MATERIALIZED', 'NOT MATERIALIZED'),
        tie('query'),
        fc.option(tie('query')),
      ),
      { minLength: 1, maxLength: 2, selector: ([name]) => name.toLowerCase() },
    )
    .map((ctes) => {
      const texts = ctes.map(([name, hint, first, second]) =>
        second === null ? `${name} AS ${hint} (${first})` : `${name} AS ((${first}) UNION (${second}))`,
      );
      return `${ctes.some(([, , , second]) => second !== null) ? 'WITH RECURSIVE' : 'WITH'} ${texts.join(', ')}`;
    }),
  query: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie('source'),
    fc.tuple(tie('withs'), tie('source')).map(([withs, source]) => `${withs} ${source}`),
  ),
}));

describe('tableReferences', () => {
  it('finds every table that the engine reads, whatever WITH clauses have its name', async () => {
    let tablesRead = 0;
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        const rows = await connection.rows(raw(text)).catch(() => []);
        const read = NAMES.filter((name) => rows.some(([src]) => src === `table ${name}`));
        tablesRead += read.length;
        const references = await referencesOf(text);
        expect({ text, missing: read.filter((name) => !references.includes(name)) }).toEqual({ text, missing: [] });
      }),
      { numRuns: 300 },
    );
    expect(tablesRead).toBeGreaterThan(30);
  });

  it.each([
    ['WITH RECURSIVE t AS (SELECT src FROM (SELECT src FROM t) UNION SELECT src FROM t) SELECT * FROM t', ['t']],
    ['WITH RECURSIVE t AS (SELECT (SELECT max(src) FROM t) AS src UNION SELECT src FROM t) SELECT * FROM t', ['t']],
    ['WITH RECURSIVE t AS (WITH x AS (SELECT * FROM t) SELECT * FROM x UNION SELECT * FROM t) SELECT * FROM t', ['t']],
    ['WITH RECURSIVE t AS (SELECT 1 AS n UNION SELECT n + 1 FROM (SELECT * FROM t) WHERE n < 3) SELECT * FROM t', []],
    ['WITH RECURSIVE T AS (SELECT 1 AS n UNION SELECT n + 1 FROM t WHERE n < 3) SELECT * FROM "t"', []],
    ['WITH t AS (SELECT * FROM t) SELECT * FROM t', ['t']],
    ['WITH t AS (SELECT * FROM u), u AS (SELECT * FROM t) SELECT * FROM u', ['u']],
    ['SELECT * FROM (WITH t AS (SELECT 1) SELECT * FROM t), t', ['t']],
  ])('finds in %s: %j', async (text, names) => {
    await expect(referencesOf(text)).resolves.toEqual(names);
  });

  it('knows what a recursive expression has gathered', async () => {
    const text = `WITH RECURSIVE t(k, n) USING KEY (k) AS (
      SELECT 1, 1 UNION SELECT k, n + 1 FROM (SELECT * FROM recurring.t) WHERE n < 3) SELECT * FROM t`;
    await expect(referencesOf(text)).resolves.toEqual([]);
  });

  it.each([
    'WITH t AS (SELECT 1) SELECT * FROM recurring.t',
    'WITH RECURSIVE t AS (SELECT 1 AS n UNION SELECT n + 1 FROM t WHERE n < 3) SELECT * FROM recurring.t',
    'WITH RECURSIVE t AS (SELECT n FROM recurring.t UNION SELECT n + 1 FROM t WHERE n < 3) SELECT * FROM t',
  ])('knows where nothing recurs: %s', async (text) => {
    await expect(referencesOf(text)).rejects.toThrow('Table "recurring.t" does not exist');
  });

  it.each(['WITH "duc\u212adb_views" AS (SELECT 1) SELECT * FROM duckdb_views', 'SELECT * FROM "\u212ait"'])(
    'takes no letter for one of ASCII: %s',
    async (text) => {
      await expect(referencesOf(text)).rejects.toThrow('does not exist');
    },
  );
});
