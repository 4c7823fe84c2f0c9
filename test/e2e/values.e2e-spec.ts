import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { failureOf } from '../support/rows-of.js';
import { SharedServer } from '../support/shared-server.js';

/**
 * Name, SQL, wire type, JSON text, CSV text. Each is a column of one result; its second row is NULL
 * everywhere.
 */
const VALUES: readonly (readonly [string, string, string, string, string])[] = [
  ['truth', 'true', 'boolean', 'true', 'true'],
  ['tiny', 'CAST(-128 AS TINYINT)', 'tinyint', '-128', '-128'],
  ['small', '32767::SMALLINT', 'smallint', '32767', '32767'],
  ['int', 'CAST(-2147483648 AS INTEGER)', 'integer', '-2147483648', '-2147483648'],
  ['uint', '4294967295::UINTEGER', 'bigint', '4294967295', '4294967295'],
  ['big_safe', '9007199254740991', 'bigint', '9007199254740991', '9007199254740991'],
  ['big_safe_min', '-9007199254740991', 'bigint', '-9007199254740991', '-9007199254740991'],
  ['big_unsafe', '9007199254740992', 'bigint', '"9007199254740992"', '9007199254740992'],
  ['big_min', '(-9223372036854775808)::BIGINT', 'bigint', '"-9223372036854775808"', '-9223372036854775808'],
  ['ubig', '18446744073709551615::UBIGINT', 'decimal(20, 0)', '"18446744073709551615"', '18446744073709551615'],
  [
    'huge_max',
    '170141183460469231731687303715884105727::HUGEINT',
    'hugeint',
    '"170141183460469231731687303715884105727"',
    '170141183460469231731687303715884105727',
  ],
  [
    'uhuge_max',
    '340282366920938463463374607431768211455::UHUGEINT',
    'uint256',
    '"340282366920938463463374607431768211455"',
    '340282366920938463463374607431768211455',
  ],
  ['real', '0.1::FLOAT', 'real', '0.1', '0.1'],
  ['double', '0.1::DOUBLE', 'double', '0.1', '0.1'],
  ['double_big', '1e308::DOUBLE', 'double', '1e308', '1e308'],
  ['double_precise', '0.30000000000000004::DOUBLE', 'double', '0.30000000000000004', '0.30000000000000004'],
  ['too_large', '1e400', 'double', '"Infinity"', 'Infinity'],
  ['too_small', '-1e400', 'double', '"-Infinity"', '-Infinity'],
  ['not_a_number', '1e400 - 1e400', 'double', '"NaN"', 'NaN'],
  ['nan', "'NaN'::DOUBLE", 'double', '"NaN"', 'NaN'],
  ['infinite', "'Infinity'::FLOAT", 'real', '"Infinity"', 'Infinity'],
  ['minus_infinite', "'-Infinity'::DOUBLE", 'double', '"-Infinity"', '-Infinity'],
  ['decimal_15', '1234567890123.45::DECIMAL(15, 2)', 'decimal(15, 2)', '1234567890123.45', '1234567890123.45'],
  ['decimal_16', '12345678901234.56::DECIMAL(16, 2)', 'decimal(16, 2)', '"12345678901234.56"', '12345678901234.56'],
  [
    'decimal_38',
    '0.00000000000000000000000000000000000001::DECIMAL(38, 38)',
    'decimal(38, 38)',
    '"0.00000000000000000000000000000000000001"',
    '0.00000000000000000000000000000000000001',
  ],
  ['text', "'x'", 'varchar', '"x"', 'x'],
  ['empty_text', "''", 'varchar', '""', '""'],
  ['unicode', "'ü 🎉 \u2028'", 'varchar', '"ü 🎉 \u2028"', 'ü 🎉 \u2028'],
  ['quoted', `'a "b", c'`, 'varchar', '"a \\"b\\", c"', '"a ""b"", c"'],
  ['lines', "'a' || chr(10) || 'b' || chr(13) || chr(9) || '\\'", 'varchar', '"a\\nb\\r\\t\\\\"', '"a\nb\r\t\\"'],
  ['control', 'chr(1) || chr(31)', 'varchar', '"\\u0001\\u001F"', '\u0001\u001f'],
  ['padded', "'  a  '", 'varchar', '"  a  "', '  a  '],
  ['null_word', "'NULL'", 'varchar', '"NULL"', 'NULL'],
  ['blob', "'\\x00\\xFF\\xAB'::BLOB", 'varbinary', '"0x00ffab"', '0x00ffab'],
  ['empty_blob', "''::BLOB", 'varbinary', '"0x"', '0x'],
  ['day', "DATE '2026-03-01'", 'date', '"2026-03-01"', '2026-03-01'],
  ['day_bc', "DATE '0044-03-15 (BC)'", 'date', '"0044-03-15 (BC)"', '0044-03-15 (BC)'],
  ['time', "TIME '10:20:30'", 'time', '"10:20:30"', '10:20:30'],
  ['time_us', "TIME '10:20:30.000001'", 'time', '"10:20:30.000001"', '10:20:30.000001'],
  [
    'at',
    "TIMESTAMP '2026-03-01 10:20:30'",
    'timestamp',
    '"2026-03-01 10:20:30.000 UTC"',
    '2026-03-01 10:20:30.000 UTC',
  ],
  [
    'at_ms',
    "TIMESTAMP_MS '2026-03-01 10:20:30.120'",
    'timestamp',
    '"2026-03-01 10:20:30.120 UTC"',
    '2026-03-01 10:20:30.120 UTC',
  ],
  [
    'at_us',
    "TIMESTAMP '2026-03-01 10:20:30.123456'",
    'timestamp',
    '"2026-03-01 10:20:30.123456 UTC"',
    '2026-03-01 10:20:30.123456 UTC',
  ],
  [
    'at_ns',
    "TIMESTAMP_NS '2026-03-01 10:20:30.123456789'",
    'timestamp',
    '"2026-03-01 10:20:30.123456789 UTC"',
    '2026-03-01 10:20:30.123456789 UTC',
  ],
  [
    'at_s',
    "TIMESTAMP_S '2026-03-01 10:20:30'",
    'timestamp',
    '"2026-03-01 10:20:30.000 UTC"',
    '2026-03-01 10:20:30.000 UTC',
  ],
  [
    'at_zone',
    "TIMESTAMPTZ '2026-03-01 10:20:30+02:00'",
    'timestamp with time zone',
    '"2026-03-01 08:20:30.000 UTC"',
    '2026-03-01 08:20:30.000 UTC',
  ],
  ['span', "INTERVAL '1 year 2 days 3 hours'", 'interval', '"1 year 2 days 03:00:00"', '1 year 2 days 03:00:00'],
  [
    'uuid',
    "'00000000-0000-0000-0000-0000000000ff'::UUID",
    'uuid',
    '"00000000-0000-0000-0000-0000000000ff"',
    '00000000-0000-0000-0000-0000000000ff',
  ],
  ['word', "'b'::ENUM('a', 'b')", 'varchar', '"b"', 'b'],
  ['bits', "'0101'::BIT", 'varchar', '"0101"', '0101'],
  ['list', '[1, NULL, 3]', 'array(integer)', '"[1,null,3]"', '"[1,null,3]"'],
  ['list_text', `['a', 'b"c']`, 'array(varchar)', '"[\\"a\\",\\"b\\\\\\"c\\"]"', '"[""a"",""b\\""c""]"'],
  [
    'row',
    "{'a': 1, 'b c': 'x'}",
    'row(a integer, "b c" varchar)',
    '"{\\"a\\":1,\\"b c\\":\\"x\\"}"',
    '"{""a"":1,""b c"":""x""}"',
  ],
  ['map', "MAP {'k': 1}", 'map(varchar, integer)', '"{\\"k\\":1}"', '"{""k"":1}"'],
  [
    'json',
    `'{"a": [1, 2.50], "b": null}'::JSON`,
    'json',
    '"{\\"a\\":[1,2.50],\\"b\\":null}"',
    '"{""a"":[1,2.50],""b"":null}"',
  ],
  ['words', "['b', NULL]::ENUM('a', 'b')[]", 'array(varchar)', '"[\\"b\\",null]"', '"[""b"",null]"'],
  ['words_fixed', "['b', 'a']::ENUM('a', 'b')[2]", 'array(varchar)', '"[\\"b\\",\\"a\\"]"', '"[""b"",""a""]"'],
  ['row_word', "{'w': 'b'}::STRUCT(w ENUM('a', 'b'))", 'row(w varchar)', '"{\\"w\\":\\"b\\"}"', '"{""w"":""b""}"'],
  [
    'map_words',
    "MAP {'a': 'b'}::MAP(ENUM('a', 'b'), ENUM('a', 'b'))",
    'map(varchar, varchar)',
    '"{\\"a\\":\\"b\\"}"',
    '"{""a"":""b""}"',
  ],
  [
    'union_word',
    "union_value(w := 'b'::ENUM('a', 'b'))::UNION(w ENUM('a', 'b'))",
    'json',
    '"{\\"w\\":\\"b\\"}"',
    '"{""w"":""b""}"',
  ],
  ['union', 'union_value(num := 5)', 'json', '"{\\"num\\":5}"', '"{""num"":5}"'],
];

describe('values', () => {
  let server: SharedServer;
  let id: string;

  beforeAll(async () => {
    server = await SharedServer.use();
    const columns = VALUES.map(([name, sql]) => `${sql} AS "${name}"`).join(', ');
    id = await server.givenResult(
      `WITH one AS (SELECT ${columns}) SELECT * FROM one UNION ALL SELECT one.* REPLACE (${VALUES.map(([name]) => `NULL AS "${name}"`).join(', ')}) FROM one`,
    );
  });
  afterAll(() => server.leave());

  it.each(VALUES)('%s: %s', async (name, _sql, type, json, csv) => {
    const page = await server.get(`/execution/${id}/results`, { columns: name, limit: 2 });
    expect(page.body.result.metadata.column_types).toEqual([type]);
    expect(page.text).toContain(`"rows":[{"${name}":${json}}`);
    expect(page.body.result.rows[1]).toEqual({ [name]: null });
    const rows = await server.get(`/execution/${id}/results/csv`, { columns: name });
    expect(rows.text).toBe(`${name}\n${csv}\n""\n`);
    const withNull = await server.get(`/execution/${id}/results/csv`, { columns: name, csv_null: '~' });
    expect(withNull.text).toBe(`${name}\n${csv}\n~\n`);
    const paged = await server.get(`/execution/${id}/results/csv`, { columns: name, limit: 2 });
    expect(paged.text).toBe(rows.text);
  });

  it('stand in one row together', async () => {
    const { text, body } = await server.get(`/execution/${id}/results`);
    expect(text).toContain(`"rows":[{${VALUES.map(([name, , , json]) => `"${name}":${json}`).join(',')}}`);
    expect(body.result.metadata.column_names).toEqual(VALUES.map(([name]) => name));
    const csv = await server.get(`/execution/${id}/results/csv`);
    const fields = VALUES.map(([, , , , field]) => field).join(',');
    expect(csv.text).toBe(`${VALUES.map(([name]) => name).join(',')}\n${fields}\n${','.repeat(VALUES.length - 1)}\n`);
    expect((await server.get(`/execution/${id}/results/csv`, { limit: 5 })).text).toBe(csv.text);
  });

  it('of a wide integer are strings in every row, if one is out of the safe range', async () => {
    const sql = `
      SELECT n, n - 9007199254740990 AS safe, sum(n - 9007199254740990) OVER () AS total
      FROM (VALUES (9007199254740990), (9007199254740993)) AS t (n)`;
    const { text } = await server.get(`/execution/${await server.givenResult(sql)}/results`, { limit: 1 });
    expect(text).toContain('"rows":[{"n":"9007199254740990","safe":0,"total":3}');
  });

  describe('CSV', () => {
    it('is text/csv, with a header line of any names', async () => {
      const result = await server.givenResult('SELECT 1 AS "a,b", 2 AS "c""d", 3 AS "e f", 4 AS "ü🎉", 5 AS "g\nh"');
      const answer = await server.get(`/execution/${result}/results/csv`);
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(answer.text).toBe('"a,b","c""d",e f,ü🎉,"g\nh"\n1,2,3,4,5\n');
    });

    it.each([undefined, 10])('of no rows is the header line alone (limit %s)', async (limit) => {
      const result = await server.givenResult("SELECT 1 AS a, 'x' AS b WHERE false");
      expect((await server.get(`/execution/${result}/results/csv`, { limit })).text).toBe('a,b\n');
      const { body } = await server.get(`/execution/${result}/results`, { limit });
      expect(body.result.rows).toEqual([]);
      expect(body.result.metadata).toMatchObject({
        column_names: ['a', 'b'],
        column_types: ['integer', 'varchar'],
        row_count: 0,
        total_row_count: 0,
        result_set_bytes: 0,
        total_result_set_bytes: 0,
        datapoint_count: 0,
      });
    });
  });

  describe('of columns', () => {
    async function read(sql: string): Promise<{ names: string[]; values: unknown[]; csv: string }> {
      const id = await server.givenResult(sql);
      const { metadata, rows } = (await server.get(`/execution/${id}/results`)).body.result;
      expect(Object.keys(rows[0])).toEqual(metadata.column_names);
      const { text: csv } = await server.get(`/execution/${id}/results/csv`);
      return { names: metadata.column_names, values: Object.values(rows[0]), csv };
    }

    it('with the same name keep apart', async () => {
      expect(await read('SELECT 1 AS id, 2 AS id, 3 AS ID, 4 AS " ", abs(5), 6 AS id_1')).toEqual({
        names: ['id', 'id_1', 'ID_2', ' ', 'abs(5)', 'id_1_1'],
        values: [1, 2, 3, 4, 5, 6],
        csv: 'id,id_1,ID_2, ,abs(5),id_1_1\n1,2,3,4,5,6\n',
      });
    });

    it.each([
      ['a line feed', 'a\nb', '"a\nb"'],
      ['a carriage return', 'a\rb', '"a\rb"'],
      ['a tab', 'a\tb', 'a\tb'],
      ['a quote', 'a"b', '"a""b"'],
      ['nothing but a quote', '"', '""""'],
      ['an apostrophe', "a'b", "a'b"],
      ['a comma', 'a,b', '"a,b"'],
      ['a backslash', 'a\\nb', 'a\\nb'],
      ['a number sign', '#', '"#"'],
      ['emojis', 'a 🦆👩‍👩‍👧 b', 'a 🦆👩‍👩‍👧 b'],
      ['control characters', '\u0001\u001f', '\u0001\u001f'],
      ['a line separator', 'a\u2028b', 'a\u2028b'],
      ['a byte order mark', 'a\ufeff', 'a\ufeff'],
      ['what every object has', 'constructor', 'constructor'],
    ])('may have it in their names, in JSON and CSV: %s', async (_what, name, field) => {
      const written = `"${name.replaceAll('"', '""')}"`;
      const id = await server.givenResult(`SELECT 1 AS first, 2 AS ${written}`);
      const { text } = await server.get(`/execution/${id}/results/csv`);
      expect(text).toBe(`first,${field}\n1,2\n`);
      const query = { columns: written, filters: `${written} = 2`, sort_by: written };
      const { body } = await server.get(`/execution/${id}/results`, query);
      expect(body.result.rows).toEqual([{ [name]: 2 }]);
      expect(body.result.metadata.column_names).toEqual([name]);
    });

    it.each([
      ['an alias', 'SELECT 1 AS ""', 'zero-length delimited identifier'],
      ['an alias of a table', 'SELECT * FROM (VALUES (1)) AS t ("")', 'zero-length delimited identifier'],
      ['a type', 'SELECT unnest(NULL::STRUCT("" INTEGER))', 'zero-length delimited identifier'],
      ['a struct', "SELECT unnest({'': 1})", 'Need named argument for struct pack'],
    ])('cannot have an empty name by %s', async (_what, sql, message) => {
      expect(await failureOf(server, sql)).toContain(message);
    });

    it('that nobody named have names all the same', async () => {
      const fromJson = `from_json('{"": 3, "b": 4}', '{"": "INTEGER", "b": "INTEGER"}')`;
      expect(await read(`SELECT unnest(row(1, 2)), unnest(${fromJson})`)).toEqual({
        names: ['element1', 'element2', 'element1_1', 'element2_1'],
        values: [1, 2, 3, 4],
        csv: 'element1,element2,element1_1,element2_1\n1,2,3,4\n',
      });
    });

    it.each(['from_json', 'json_transform', 'FROM_JSON_STRICT', '"from_json"'])(
      'are refused with NUL in their names, which %s can give them, and taken under others',
      async (makeStruct) => {
        const types = `{"a\\u0000b": "INTEGER", "\\u0000": "INTEGER"}`;
        const struct = `${makeStruct}('{"a\\u0000b": 7, "\\u0000": 8}', '${types}')`;
        expect(await failureOf(server, `SELECT unnest(${struct})`)).toBe(
          'The name of a column of the result holds the character NUL: name it with AS',
        );
        expect(await read(`SELECT * FROM (SELECT unnest(${struct})) AS t (a, b)`)).toEqual({
          names: ['a', 'b'],
          values: [7, 8],
          csv: 'a,b\n7,8\n',
        });
      },
    );

    it('cannot have NUL in their names by the text of the statement', async () => {
      const refused = await server.post('/sql/execute', { sql: 'SELECT 1 AS "a\0b"' });
      expect([refused.status, refused.body.error]).toEqual([400, 'The SQL must not hold the character NUL']);
    });

    it('may have NUL in the names inside their values', async () => {
      const sql = `SELECT from_json('{"a\\u0000b": {{n}}}', '{"a\\u0000b": "INTEGER"}') AS s`;
      const { body } = await server.post('/sql/execute', { sql, query_parameters: { n: 7 } });
      await server.untilEnded(body.execution_id);
      const { text } = await server.get(`/execution/${body.execution_id}/results/csv`);
      expect(text).toBe('s\n"{""a\\u0000b"":7}"\n');
    });
  });

  describe('metadata', () => {
    let sized: string;

    beforeAll(async () => {
      sized = await server.givenResult(`
        SELECT range::INTEGER AS i, CASE WHEN range % 2 = 0 THEN 'ü🎉' END AS t, range::DOUBLE AS d, '\\xAB\\xCD'::BLOB AS b
        FROM range(10)`);
    });

    it.each([
      ['whole', {}, 10, 4, 10 * 4 + 5 * 6 + 10 * 8 + 10 * 2],
      ['page', { limit: 3 }, 3, 4, 3 * 4 + 2 * 6 + 3 * 8 + 3 * 2],
      ['columns', { columns: 't,i' }, 10, 2, 10 * 4 + 5 * 6],
      ['column of nulls', { columns: 't', filters: 't IS NULL' }, 5, 1, 0],
      ['filtered', { filters: 'i < 2', limit: 5 }, 2, 4, 2 * 4 + 6 + 2 * 8 + 2 * 2],
      ['sorted page', { sort_by: 'i desc', limit: 1 }, 1, 4, 4 + 8 + 2],
      ['past the end', { offset: 100, limit: 5 }, 0, 4, 0],
      ['limit 0', { limit: 0 }, 0, 4, 0],
    ])('counts rows, values and bytes: %s', async (_, query, rowCount, columnCount, bytes) => {
      const { body } = await server.get(`/execution/${sized}/results`, query);
      const { metadata } = body.result;
      expect(metadata).toMatchObject({
        row_count: rowCount,
        total_row_count: 10,
        datapoint_count: rowCount * columnCount,
        result_set_bytes: bytes,
        total_result_set_bytes: 170,
      });
      const status = await server.get(`/execution/${sized}/status`);
      expect(status.body.result).toEqual({ result_set_size: 170 });
      expect(status.body.result_metadata).toMatchObject({ row_count: 10, result_set_bytes: 170, datapoint_count: 40 });
    });
  });
});
