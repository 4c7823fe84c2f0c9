import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SharedServer } from '../support/shared-server.js';

const SQL = `
  SELECT range AS size, 'name ' || range % 10 AS name, range % 2 = 0 AS is_even, DATE '2026-01-01' + range::INTEGER AS "day",
    CASE WHEN range % 4 = 0 THEN NULL ELSE range END AS maybe, range AS "odd ""name"", with-all.of 🎉", range::DECIMAL(38, 2) AS exact
  FROM range(1000)`;

const LONG_LIST = `size IN (${Array.from({ length: 1_001 }, (_, index) => index).join(',')})`;

describe('read parameters', () => {
  let server: SharedServer;
  let id: string;

  beforeAll(async () => {
    server = await SharedServer.use();
    id = await server.givenResult(SQL);
  });
  afterAll(() => server.leave());

  const read = (query: Record<string, string | number>) => server.get(`/execution/${id}/results`, query);
  const readCsv = (query: Record<string, string | number>) => server.get(`/execution/${id}/results/csv`, query);

  describe('filters', () => {
    it.each([
      ['size = 5', [5]],
      ['size=5', [5]],
      ['SIZE = 5', [5]],
      ["size = '5'", [5]],
      ['size != 0 and size <> 1 AND size < 4', [2, 3]],
      ['size <= 1 OR size >= 998', [0, 1, 998, 999]],
      ['(size = 1 OR size = 2) AND is_even = TRUE', [2]],
      ['size = 1 OR size = 2 AND is_even = TRUE', [1, 2]],
      ['size in (3, 1, 2000)', [1, 3]],
      ["name LIKE 'name 7' AND size < 20", [7, 17]],
      ["name ILIKE 'NAME _' AND size > 997", [998, 999]],
      ["name LIKE '%' AND size > 998", [999]],
      ['maybe IS NULL AND size < 10', [0, 4, 8]],
      ['maybe <> 1 AND size < 4', [2, 3]],
      ["is_even = 'true' AND size < 3", [0, 2]],
      ["day >= '2028-09-25'", [998, 999]],
      ["day = '2026-01-03'", [2]],
      ['"odd ""name"", with-all.of 🎉" = 7', [7]],
      ['"odd \\"name\\", with-all.of 🎉" = 7', [7]],
      ['exact = 7.00', [7]],
      ['exact = 7.001', []],
      ['size > 999999999999999999999999', []],
      ['size = 5.5', []],
      [' \n size\t=\n5 ', [5]],
      ["name = 'name\0 5'", []],
      ["name = '\ud800' OR size = 5", [5]],
    ])('%s selects its rows', async (filters, sizes) => {
      const { status, body } = await read({ filters });
      expect(status).toBe(200);
      expect(body.result.rows.map((row: any) => row.size)).toEqual(sizes);
      expect(body.result.metadata).toMatchObject({ row_count: sizes.length, total_row_count: 1_000 });
      const csv = await readCsv({ filters, columns: 'size' });
      expect(csv.text).toBe(['size', ...sizes, ''].join('\n'));
    });

    it.each([
      ['bytes = 0xaa', ['0xaa']],
      ['bytes IN (0x61, 0x0100)', ['0x0100', '0x61']],
      ["bytes = '0x5c'", ['0x5c']],
    ])('%s finds bytes, printable or not', async (filters, found) => {
      const sql = "SELECT * FROM (VALUES ('\\xAA'::BLOB), ('\\x01\\x00'), ('a'), ('\\x5C')) AS rows(bytes)";
      const { body } = await server.get(`/execution/${await server.givenResult(sql)}/results`, { filters });
      expect(body.result.rows.map((row: any) => row.bytes)).toEqual(found);
    });

    it.each([
      ['size > 10 AND NOT size = 5', 'NOT is not supported, use <> or a list of IN values', 14],
      ['size NOT IN (1)', 'NOT is not supported, use <> or a list of IN values', 5],
      ["name not like 'a'", 'NOT is not supported, use <> or a list of IN values', 5],
      [
        'name IS NOT NULL',
        "NOT is not supported, for IS NOT NULL write a comparison that every value meets, such as name >= ''",
        8,
      ],
      ['size', 'expected an operator (=, <>, <, <=, >, >=, LIKE, ILIKE, IN, IS NULL), got the end of the text', 4],
      ['size =', 'expected a value, got the end of the text', 6],
      ['= 5', "expected a column name, got '='", 0],
      ['size = 5 size = 6', "expected AND, OR or the end of the text, got 'size'", 9],
      ['size = 5)', "this ')' closes nothing", 8],
      ['(size = 5', "this '(' is not closed", 0],
      ['size = 5; DROP TABLE x', 'a statement separator is not supported', 8],
      ['size = 5 -- comment', 'comments are not supported', 9],
      ['size = 5 /* comment */', 'comments are not supported', 9],
      ['size + 1 = 5', 'arithmetic is not supported', 5],
      ['size = 5 + 1', 'arithmetic is not supported', 9],
      ['size = name', 'a column cannot stand on the right, and a text value is written in single quotes', 7],
      ["lower(name) = 'a'", 'functions are not supported', 0],
      ['size = abs(5)', 'functions are not supported', 7],
      ["day = '2026-01-01'::DATE", 'casts are not supported, write the value as a string', 18],
      ['size = NULL', 'nothing compares with NULL, use IS NULL', 7],
      ['size BETWEEN 1 AND 2', 'BETWEEN is not supported, use >= and <=', 5],
      ["name = 'a", 'a string is not closed', 7],
      ['"size = 5', 'a column name in double quotes is not closed', 0],
      ['size IN ()', "expected a value, got ')'", 9],
      ['size == 5', "'==' is not supported, use =", 5],
      ['size = $1', 'placeholders are not supported, write the value itself', 7],
    ])('%s is refused with its place', async (filters, reason, offset) => {
      for (const answer of [await read({ filters }), await readCsv({ filters })]) {
        expect(answer.status).toBe(400);
        expect(answer.body).toEqual({
          error: `filters: ${reason}, at character ${offset + 1}`,
          code: 'filter_syntax',
          offset,
        });
      }
    });

    it.each([
      ['an IN list', LONG_LIST, 'an IN list has more than 1000 values'],
      ['parentheses', `${'('.repeat(65)}size = 1${')'.repeat(65)}`, 'parentheses are more than 64 deep'],
    ])('has a limit for %s', async (_, filters, reason) => {
      const answer = await read({ filters });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        error: expect.stringContaining(`filters: ${reason}, at character`),
        code: 'filter_limit',
      });
      expect(answer.body.offset).toEqual(expect.any(Number));
    });

    it.each([
      ["size = 'abc'", 'filters: column "size" has type bigint and takes'],
      ["day = 'soon'", 'filters: column "day" has type date and takes'],
      ['day = 5', 'filters: column "day" has type date and takes'],
      ['is_even = 2', 'filters: column "is_even" has type boolean and takes'],
      ['name = 5', 'filters: column "name" has type varchar and takes'],
      ["size LIKE '1%'", 'filters: column "size" has type bigint and takes'],
    ])('%s is refused for the type of its column', async (filters, error) => {
      const answer = await read({ filters });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ error: expect.stringContaining(error), code: 'literal_type' });
    });

    it('can have 16 kB, and no more', async () => {
      const filters = `name = '${'ü'.repeat(8_000)}' OR size = 5`.padEnd(16_384 - 8_000);
      const answer = await read({ filters });
      expect(answer.status).toBe(200);
      expect(answer.body.result.rows).toHaveLength(1);
      expect(await read({ filters: `${filters} ` })).toMatchObject({
        status: 400,
        body: {
          error: 'filters: the text is longer than 16 kB, at character 8385',
          code: 'filter_limit',
          offset: 8_384,
        },
      });
    });
  });

  describe.each(['filters', 'columns', 'sort_by'])('a name in %s', (parameter) => {
    const write = (name: string) => (parameter === 'filters' ? `${name} = 5` : name);

    it('must be a column, and the nearest names are told', async () => {
      const answer = await read({ [parameter]: write('sise') });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        error: expect.stringMatching(`^${parameter}: there is no column "sise", the nearest names are "size"`),
        code: 'unknown_column',
      });
    });

    it('cannot be SQL', async () => {
      const answer = await read({ [parameter]: write('"size"" FROM secret --"') });
      expect(answer).toMatchObject({ status: 400, body: { code: 'unknown_column' } });
    });
  });

  describe('columns', () => {
    it('come in the order asked for, by exact name or without regard to case', async () => {
      const { body } = await read({ columns: 'NAME,size,"odd ""name"", with-all.of 🎉"', limit: 1 });
      expect(Object.entries(body.result.rows[0])).toEqual([
        ['name', 'name 0'],
        ['size', 0],
        ['odd "name", with-all.of 🎉', 0],
      ]);
      expect(body.result.metadata).toMatchObject({
        column_names: ['name', 'size', 'odd "name", with-all.of 🎉'],
        column_types: ['varchar', 'bigint', 'bigint'],
        datapoint_count: 3,
      });
    });

    it.each([
      ['size,size', 'columns: "size" is asked for twice, name each column once', 'duplicate_column', undefined],
      ['size,SIZE', 'columns: "SIZE" is asked for twice, name each column once', 'duplicate_column', undefined],
      ['size,', 'columns: expected a column name, at character 6', 'columns_syntax', 5],
      [',', 'columns: expected a column name, at character 1', 'columns_syntax', 0],
      ['"size', 'columns: a column name in double quotes is not closed, at character 1', 'columns_syntax', 0],
      ['"size" name', 'columns: expected a comma or the end of the text, at character 8', 'columns_syntax', 7],
    ])('%s is refused', async (columns, error, code, offset) => {
      expect(await read({ columns })).toMatchObject({ status: 400 });
      expect((await read({ columns })).body).toEqual({ error, code, ...(offset !== undefined && { offset }) });
    });
  });

  describe('sort_by', () => {
    it.each([
      ['size desc', [999, 998, 997]],
      ['size', [0, 1, 2]],
      ['size ASC', [0, 1, 2]],
      ['is_even desc, size desc', [998, 996, 994]],
      ['is_even,name desc,size', [9, 19, 29]],
      ['maybe desc', [999, 998, 997]],
      ['"odd ""name"", with-all.of 🎉" desc', [999, 998, 997]],
    ])('%s sorts, also by a column that is not selected', async (sort_by, sizes) => {
      const { body } = await read({ sort_by, columns: 'size', limit: 3 });
      expect(body.result.rows).toEqual(sizes.map((size) => ({ size })));
    });

    it.each([
      ['size up', 5],
      ['size desc name', 10],
      ['size,', 5],
      ['lower(name)', 5],
      ['size + 1', 5],
      ['size NULLS FIRST', 5],
      ['1', 0],
      ['size; DROP TABLE x', 4],
    ])('%s is refused with its place', async (sort_by, offset) => {
      const answer = await read({ sort_by });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        error: expect.stringMatching(`^sort_by: .*, at character ${offset + 1}$`),
        code: 'sort_syntax',
        offset,
      });
    });
  });

  describe('sample_count', () => {
    it.each<[Record<string, string>, string]>([
      [{ limit: '5' }, 'limit'],
      [{ offset: '5' }, 'offset'],
      [{ filters: 'size = 5' }, 'filters'],
      [{ filters: 'size = 5', offset: '0', limit: '1' }, 'offset, limit, filters'],
    ])('cannot be combined with %j', async (others, names) => {
      for (const answer of [
        await read({ sample_count: 5, ...others }),
        await readCsv({ sample_count: 5, ...others }),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.body).toEqual({
          error: `sample_count cannot be combined with ${names}`,
          code: 'sample_combination',
        });
      }
    });

    it.each([
      [{ sample_count: 'x' }, "sample_count: must be a whole number of at least 0, got 'x'"],
      [{ sample_count: '-1' }, "sample_count: must be a whole number of at least 0, got '-1'"],
      [{ sample_count: '5', sample_seed: 'x' }, "sample_seed: must be a whole number of at most 40 digits, got 'x'"],
    ])('is refused as %j', async (query, error) => {
      expect(await read(query)).toMatchObject({ status: 400, body: { error, code: 'invalid_sample' } });
    });

    it('gives about so many rows, with no next page', async () => {
      const { body } = await read({ sample_count: 300, columns: 'size' });
      const { rows, metadata } = body.result;
      expect(rows.length).toBeGreaterThan(200);
      expect(rows.length).toBeLessThan(400);
      expect(metadata).toMatchObject({ row_count: rows.length, total_row_count: 1_000, datapoint_count: rows.length });
      expect(body).not.toHaveProperty('next_uri');
      expect(body).not.toHaveProperty('next_offset');
      expect(new Set(rows.map((row: any) => row.size)).size).toBe(rows.length);
    });

    it.each([1_000, 1_001, 10_000_000])('gives the entire result for %s', async (sample_count) => {
      const { body } = await read({ sample_count, columns: 'size' });
      expect(body.result.rows).toEqual(Array.from({ length: 1_000 }, (_, size) => ({ size })));
      expect(body).not.toHaveProperty('next_uri');
    });

    it('gives no rows for 0', async () => {
      expect((await read({ sample_count: 0 })).body.result).toMatchObject({ rows: [], metadata: { row_count: 0 } });
    });

    it('gives the same rows for the same sample_seed, as JSON and as CSV', async () => {
      const sizes = async (sample_seed: string) =>
        (await read({ sample_count: 100, sample_seed, columns: 'size' })).body.result.rows.map((row: any) => row.size);
      const [first, again, other] = [await sizes('42'), await sizes('42'), await sizes('43')];
      expect(again).toEqual(first);
      expect(other).not.toEqual(first);
      const csv = await readCsv({ sample_count: 100, sample_seed: '42', columns: 'size' });
      expect(csv.text).toBe(['size', ...first, ''].join('\n'));
      expect(csv.headers.get('x-service-next-uri')).toBeNull();
    });

    it('can be combined with columns and sort_by', async () => {
      const { body } = await read({ sample_count: 100, sample_seed: 1, columns: 'name,size', sort_by: 'size desc' });
      const sizes = body.result.rows.map((row: any) => row.size);
      expect(sizes).toEqual(sizes.toSorted((a: number, b: number) => b - a));
      expect(Object.keys(body.result.rows[0])).toEqual(['name', 'size']);
    });
  });
});
