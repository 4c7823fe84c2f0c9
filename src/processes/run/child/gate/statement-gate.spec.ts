import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection } from '../../../../duckdb/connection/connection.js';
import { openSandbox } from '../sandbox.js';
import { RefusedStatementError } from './refused-statement-error.js';
import { serializeStatements } from './serialize-statement.js';
import { gateStatement } from './statement-gate.js';

let connection: Connection;

beforeAll(async () => {
  connection = await openSandbox();
});

afterAll(() => connection.close());

async function refusalOf(text: string): Promise<RefusedStatementError> {
  const error = await gateStatement(connection, text).catch((reason: unknown) => reason);
  if (!(error instanceof RefusedStatementError)) throw new Error(`Not refused: ${JSON.stringify(error)}`);
  return error;
}

/** Every place of a SELECT where an expression can stand; `?` is the expression. */
const EXPRESSION_PLACES = [
  'SELECT ?',
  'SELECT 1 AS a WHERE ?',
  'SELECT DISTINCT ON (?) a FROM orders',
  'SELECT a FROM orders GROUP BY ?',
  'SELECT a FROM orders GROUP BY GROUPING SETS ((?), ())',
  'SELECT a FROM orders GROUP BY a HAVING ?',
  'SELECT a FROM orders QUALIFY ?',
  'SELECT a FROM orders ORDER BY ?',
  'SELECT a FROM orders LIMIT ?',
  'SELECT a FROM orders LIMIT 1 OFFSET ?',
  'SELECT a FROM orders o JOIN orders p ON ?',
  'SELECT sum(a) FILTER (WHERE ?) FROM orders',
  'SELECT list(a ORDER BY ?) FROM orders',
  'SELECT sum(a) OVER (PARTITION BY ?) FROM orders',
  'SELECT sum(a) OVER (ORDER BY ?) FROM orders',
  'SELECT sum(a) OVER (ORDER BY a ROWS BETWEEN ? PRECEDING AND CURRENT ROW) FROM orders',
  'SELECT lag(a, 1, ?) OVER (ORDER BY a) FROM orders',
  'SELECT sum(a) OVER w FROM orders WINDOW w AS (PARTITION BY ?)',
  'SELECT CASE WHEN ? THEN 1 END',
  'SELECT CASE 1 WHEN 1 THEN ? END',
  'SELECT CAST(? AS VARCHAR)',
  'SELECT TRY(?)',
  'SELECT [?]',
  'SELECT {a: ?}',
  'SELECT MAP {1: ?}',
  'SELECT [x FOR x IN [1] IF ?]',
  'SELECT list_transform([1], lambda x: ?)',
  'SELECT COLUMNS(lambda c: ?) FROM orders',
  'SELECT * REPLACE (? AS a) FROM orders',
  'SELECT 1 IN (?)',
  'SELECT 1 BETWEEN 0 AND ?',
  'SELECT ([1])[?]',
  'SELECT (?) COLLATE nocase',
  'SELECT EXISTS (SELECT ?)',
  'SELECT ARRAY(SELECT ?)',
  'SELECT 1 = ANY (SELECT ?)',
  'VALUES (?)',
  'FROM (VALUES (?)) v',
  'FROM range(?)',
  'FROM unnest([?])',
  'FROM orders, LATERAL (SELECT ?)',
  'FROM orders POSITIONAL JOIN (SELECT ?)',
  'WITH c AS (SELECT ?) FROM c',
  'WITH unused AS (SELECT ?) SELECT 1',
  'WITH RECURSIVE c AS (SELECT 1 UNION ALL SELECT ?) FROM c',
  'SELECT 1 UNION SELECT ?',
  'SELECT 1 EXCEPT SELECT ?',
  'PIVOT orders ON a IN (1) USING sum(?)',
  'FROM orders PIVOT (sum(?) FOR a IN (1))',
  'UNPIVOT (SELECT ? AS a) ON a',
  'DESCRIBE SELECT ?',
  'SUMMARIZE SELECT ?',
  'SELECT * FROM (DESCRIBE SELECT ?)',
];

describe('gateStatement', () => {
  it.each(EXPRESSION_PLACES)('finds a function that may not be called in: %s', async (place) => {
    const { message } = await refusalOf(place.replace('?', "getvariable('x')"));
    expect(message).toContain('"getvariable"');
  });

  it.each(EXPRESSION_PLACES)('finds a file that is read in: %s', async (place) => {
    expect((await refusalOf(place.replace('?', "(SELECT a FROM '/etc/passwd')"))).message).toContain(
      'Table "/etc/passwd"',
    );
    expect((await refusalOf(place.replace('?', "(FROM READ_TEXT('/etc/passwd'))"))).message).toContain('"read_text"');
  });

  it.each([
    'DESCRIBE "/etc/passwd"',
    "SUMMARIZE '/etc/passwd'",
    'TABLE "a.csv"',
    'FROM orders AT (VERSION => 1)',
    'FROM "main"."a.csv"',
    'FROM system.main.duckdb_tables',
    'FROM temp.orders',
    'FROM sqlite_master',
    'FROM Duckdb_Settings',
    'FROM main.pg_class',
    'FROM memory.information_schema.tables',
    'FROM ünknown',
    "PIVOT 'a.csv' ON a IN (1) USING sum(b)",
    "UNPIVOT 'a.csv' ON a",
    'FROM orders SEMI JOIN "a.csv" USING (a)',
    'WITH c AS (FROM d), d AS (SELECT 1) FROM c, "d e"',
    'FROM (WITH "a.csv" AS (SELECT 1) FROM "a.csv"), "a.csv"',
  ])('refuses a table that cannot exist: %s', async (text) => {
    expect((await refusalOf(text)).message).toMatch(/^(Table ".*" does not exist|AT is not supported)/);
  });

  it.each([
    "FROM query('SELECT 1')",
    "FROM query_table(['orders'])",
    "FROM main.read_csv('a.csv')",
    'FROM x.range(3)',
    'FROM system.main.range(3)',
    'FROM summary(orders)',
    'FROM histogram(orders, a)',
    "FROM sniff_csv('a.csv')",
    "FROM READ_BLOB('a')",
    'FROM "Read_Parquet"(\'a\')',
    "FROM read_duckdb('a')",
    'FROM enable_peg_parser()',
    "FROM json_each((SELECT content FROM read_text('a')))",
    "FROM upper('a')",
    "FROM st_read('a')",
    "FROM pragma_table_info('orders')",
    'FROM repeat_row(1, num_rows = 3)',
    'SELECT pg_catalog.pg_get_viewdef(1)',
    "SELECT main.current_setting('threads')",
    "SELECT ('x').write_log()",
    "SELECT nextval('s')",
    'SELECT cast_to_type(1, 2)',
    "SELECT json_serialize_plan('SELECT 1')",
    "SELECT 'x' || current_query()",
  ])('refuses a function that may not be called: %s', async (text) => {
    expect((await refusalOf(text)).message).toContain('does not exist or may not be called');
  });

  it('names the function that was probably meant', async () => {
    const { message } = await refusalOf("SELECT strpo('abc', 'b')");
    expect(message).toBe('Function "strpo" does not exist or may not be called. Did you mean strpos?');
  });

  it.each([
    ['INSERT INTO orders VALUES (1)', 'Only one SELECT'],
    ['WITH c AS (SELECT 1) INSERT INTO orders FROM c', 'Only one SELECT'],
    ['CREATE TABLE t AS SELECT 1', 'Only one SELECT'],
    ['EXPLAIN SELECT 1', 'Only one SELECT'],
    ['EXPLAIN ANALYZE SELECT 1', 'Only one SELECT'],
    ["COPY (SELECT 1) TO 'a.csv'", 'Only one SELECT'],
    ['CALL pragma_version()', 'Only one SELECT'],
    ['PRAGMA table_info(orders)', 'Only one SELECT'],
    ['VACUUM', 'Only one SELECT'],
    ['CHECKPOINT', 'Only one SELECT'],
    ['SHOW TABLES', 'SHOW is not supported'],
    ['FROM (SHOW ALL TABLES)', 'SHOW is not supported'],
    ['DESCRIBE', 'SHOW is not supported'],
    ['SELECT 1; SELECT 2', 'more than one statement'],
    ['SELECT 1; DROP TABLE orders; --', 'Only one SELECT'],
    ['PIVOT orders ON a USING sum(b)', 'A PIVOT needs its values'],
    ['-- SELECT 1', 'no statement'],
    [' ; ; ', 'no statement'],
    ['SELECT 1) AS __q; DROP TABLE orders; --', 'Parser Error'],
    ['SELECT $missing', 'no value for the parameter "missing"'],
  ])('refuses what is not one SELECT: %s', async (text, message) => {
    expect((await refusalOf(text)).message).toContain(message);
  });

  it('tells the place in bytes of the whole text', async () => {
    expect((await refusalOf("  ;\nSELECT 'ü', pg_sleep(1)")).byteOffset).toBe(Buffer.byteLength("  ;\nSELECT 'ü', "));
    expect((await refusalOf("  ;\nSELECT 'ü' FROM nothing here too")).byteOffset).toBe(
      Buffer.byteLength("  ;\nSELECT 'ü' FROM nothing here "),
    );
  });

  it.each([
    ['SELECT 1; -- done; really', 'SELECT 1'],
    ['; ;SELECT 1 -- done', 'SELECT 1 -- done'],
    ['SELECT \';\' AS ";" /* ; */ ;;', 'SELECT \';\' AS ";" /* ; */ ;'],
  ])('isolates the statement in: %s', async (text, body) => {
    expect((await gateStatement(connection, text)).body.replace(/;+$/, '').trim()).toBe(body.replace(/;+$/, '').trim());
  });

  it.each([
    'SELECT 1e400',
    'SELECT -1e400, 1e309 > 1',
    'SELECT 1 LIMIT 1e400 OFFSET 1e400',
    'SELECT [1e400, -1e999], {a: 1e400}, CASE WHEN 1e400 > 1 THEN 1e400 END',
    'FROM range(3) r(a) WHERE a IN (1e400, 2) AND a BETWEEN -1e400 AND 1e400',
    'VALUES (1e400), (-1e400)',
    `SELECT 1e400 AS "a"":Infinity,", '"value":Infinity,', '":NaN}', 'x\\'`,
  ])('takes numbers that are too large for any type: %s', async (text) => {
    await expect(gateStatement(connection, text)).resolves.toMatchObject({ body: text });
  });

  it('keeps texts that look like such a number as they are', async () => {
    const [statement] = await serializeStatements(connection, `SELECT '"value":Infinity}', '\\":-Infinity,', -1e400`);
    const node = statement?.node as { select_list: { value: { value: unknown } }[] } | undefined;
    expect(node?.select_list.map(({ value }) => value.value)).toEqual([
      '"value":Infinity}',
      '\\":-Infinity,',
      Number.NEGATIVE_INFINITY,
    ]);
  });

  it.each([
    "SELECT ['x']::ENUM('x', 'y')[]",
    "SELECT {'a': 'x'}::STRUCT(a ENUM('x', 'y'))",
    "SELECT MAP {'k': 'x'}::MAP(VARCHAR, ENUM('x', 'y'))",
    "SELECT union_value(e := 'x'::ENUM('x', 'y'))::UNION(e ENUM('x', 'y'), n INTEGER)",
    "SELECT TRY_CAST(['x'] AS ENUM('x', 'y')[1])",
    'SELECT NULL::STRUCT(a INTEGER[3][2], b MAP(VARCHAR, DECIMAL(10, 2)[]))',
    "PIVOT orders ON a IN (1, upper('x'), 'b' AS c) USING sum(b)",
    'FROM orders PIVOT (sum(a) FOR (a, b) IN ((1, 2)))',
    'UNPIVOT orders ON (a, b), c AS d INTO NAME n VALUE v',
    'SELECT 1 UNION SELECT 2 UNION ALL SELECT 3 EXCEPT SELECT 4',
  ])('takes all syntax that the engine has words for: %s', async (text) => {
    await expect(gateStatement(connection, text)).resolves.toMatchObject({ body: text });
  });

  it.each([
    ["PIVOT orders ON a IN (1, getvariable('x')) USING sum(b)", '"getvariable"'],
    ["PIVOT orders ON a IN (1, (SELECT a FROM '/etc/passwd')) USING sum(b)", 'Table "/etc/passwd"'],
    ["SELECT NULL::ENUM(getvariable('x'))[]", 'Expected a constant'],
  ])('finds what may not be called or read there, too: %s', async (text, message) => {
    expect((await refusalOf(text)).message).toContain(message);
  });

  it.each([
    ['FROM orders, ACME.Events', ['orders', 'acme.events']],
    ['WITH c AS (FROM orders) FROM c', ['orders']],
    ['WITH orders AS (FROM orders) FROM orders', ['orders']],
    ['WITH a AS (FROM b), b AS (FROM a) FROM b', ['b']],
    ['FROM (WITH c AS (SELECT 1) FROM c), c', ['c']],
    ['WITH RECURSIVE t AS (SELECT 1 n UNION ALL FROM t) FROM t', []],
    ['WITH c AS (SELECT 1) SELECT (SELECT (FROM c)) FROM C', []],
    ['DESCRIBE orders', ['orders']],
    ['PIVOT orders ON a IN (1) USING sum(b)', ['orders']],
    ['FROM memory.main.orders, main.events, memory.items', ['orders', 'events', 'items']],
  ])('names the tables of: %s', async (text, names) => {
    const { tables } = await gateStatement(connection, text);
    expect(tables.map(({ namespace, name }) => (namespace ? `${namespace}.${name}` : name)).sort()).toEqual(
      [...names].sort(),
    );
  });
});
